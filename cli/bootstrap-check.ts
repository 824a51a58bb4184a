import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError, foundText } from './command-error';
import { EXIT } from './exit-codes';

/** What CDK needs in an account and region before it can deploy there. */
export interface Bootstrap {
  /** The SSM parameter with the version of the bootstrap stack. */
  readonly parameter: string;
  /** The command that creates or updates the bootstrap stack. */
  readonly command: string;
  /** Reads the parameter. @throws {CommandError} */
  readonly version: () => Promise<string>;
}

/** The oldest bootstrap stack that our stacks can be deployed with. */
export const MIN_BOOTSTRAP_VERSION = 6;

const DEFAULT_QUALIFIER = 'hnb659fds';
const QUALIFIER = '@aws-cdk/core:bootstrapQualifier';

/**
 * The parameter of the bootstrap stack that the CDK app in a folder uses.
 * @see https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html (qualifier)
 * @see https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html (version)
 */
export function bootstrapParameter(workingDir: string): string {
  return `/cdk-bootstrap/${qualifierIn(workingDir)}/version`;
}

/** CDK context with the qualifier of the app in a folder. */
export function bootstrapContext(workingDir: string): Record<string, string> {
  return { [QUALIFIER]: qualifierIn(workingDir) };
}

/** The qualifier of the bootstrap stack that the CDK app in a folder uses. */
function qualifierIn(workingDir: string): string {
  try {
    const { context = {} } = JSON.parse(readFileSync(join(workingDir, 'cdk.json'), 'utf8')) as {
      context?: Record<string, unknown>;
    };
    const qualifier = context[QUALIFIER];
    return typeof qualifier === 'string' && /^[A-Za-z0-9_-]{1,10}$/.test(qualifier)
      ? qualifier
      : DEFAULT_QUALIFIER;
  } catch {
    return DEFAULT_QUALIFIER;
  }
}

/**
 * Checks that a bootstrap stack exists and is recent enough.
 * @returns a note if the caller may not read its version
 * @throws {CommandError} `not_bootstrapped`
 */
export async function checkBootstrap({
  parameter,
  command,
  version,
}: Bootstrap): Promise<string | undefined> {
  const advice = `Once per account and region: ${command}`;
  let deployedVersion: string;
  try {
    deployedVersion = await version();
  } catch (error) {
    if (!(error instanceof CommandError) || ['interrupted', 'other_account'].includes(error.code))
      throw error;
    if (error.code !== 'not_found') return `${error.message}. If \`cdk deploy\` asks for it: ${command}`;
    const message = `CDK cannot deploy here yet: the parameter ${parameter} does not exist`;
    throw new CommandError(EXIT.failed, 'not_bootstrapped', message, { cause: error, advice });
  }
  if (Number(deployedVersion) >= MIN_BOOTSTRAP_VERSION) return undefined;
  const allowed = `${MIN_BOOTSTRAP_VERSION} or later`;
  throw new CommandError(EXIT.failed, 'not_bootstrapped', foundText(parameter, deployedVersion, allowed), {
    advice,
  });
}
