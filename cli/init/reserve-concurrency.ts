import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import {
  type DeploymentKey,
  deploymentKeyOf,
  deploymentText,
  isSameDeployment,
} from '../../core/tokens/token-key';
import { readConcurrency } from '../account-concurrency';
import { hasCredentials } from '../aws-profile';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { type AnsweredDeployment } from './answers';
import { type WrittenConfiguration, writtenDeployment } from './written-configuration';

/** The new deployments that can reserve their concurrency, and what to say about all new ones. */
interface Reservation {
  readonly deployments: readonly DeploymentKey[];
  readonly lines: readonly string[];
}

/**
 * Asks Lambda, for each new deployment, whether its account has concurrency to reserve. Reserves none without credentials of that
 * account, or if Lambda does not answer.
 * @param before the configuration without the answers
 * @throws {CommandError} if interrupted
 */
export async function reserveConcurrency(
  context: CommandContext,
  env: CommandContext['env'],
  before: WrittenConfiguration,
  added: readonly AnsweredDeployment[],
): Promise<Reservation> {
  const deployments: DeploymentKey[] = [];
  const lines: string[] = [];
  if (env === undefined || !namesCredentials(env)) return { deployments, lines };
  const reservedIn = new Map<string, number>();
  for (const answers of added) {
    const { account, region } = answers.deployment;
    if (writtenDeployment(before, answers) !== undefined) continue;
    const location = JSON.stringify([account, region]);
    const reserved = reservedIn.get(location) ?? 0;
    const concurrency = await askAccount(context, answers);
    if (concurrency === undefined) {
      lines.push(
        `  ${deploymentText(answers)}: no concurrency is reserved, because these credentials cannot ask its account`,
      );
    } else if (concurrency.roomForDeployments > reserved) {
      reservedIn.set(location, reserved + 1);
      deployments.push(deploymentKeyOf(answers));
      lines.push(`  ${deploymentText(answers)}: one token request per renewal, by reserved concurrency`);
    } else {
      lines.push(
        `  ${deploymentText(answers)}: no concurrency is reserved, because the account has no room (a quota of ${concurrency.quota})`,
      );
    }
  }
  return { deployments, lines };
}

/** Undefined if nobody may ask, or the credentials are of another account. */
async function askAccount(context: CommandContext, answers: AnsweredDeployment) {
  try {
    const { deployments } = await context.system();
    const deployment = deployments.find((each) => isSameDeployment(each, answers));
    if (deployment === undefined) return undefined;
    const { account } = answers.deployment;
    if (account !== undefined && (await deployment.callerAccount?.()) !== account) return undefined;
    return await readConcurrency(context, deployment);
  } catch (error) {
    if (!(error instanceof CommandError) || error.code === 'interrupted') throw error;
    return undefined;
  }
}

/**
 * Whether the caller's settings name credentials. Otherwise the SDK would look for those of a machine in AWS.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html
 */
function namesCredentials(env: Readonly<Record<string, string | undefined>>): boolean {
  const inHome = (name: string) => join(homedir(), '.aws', name);
  const {
    AWS_CONFIG_FILE: config = inHome('config'),
    AWS_SHARED_CREDENTIALS_FILE: credentials = inHome('credentials'),
  } = env;
  return hasCredentials(env) || [config, credentials].some((file) => existsSync(file));
}
