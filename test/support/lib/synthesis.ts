import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type Configuration } from '../../../lib/options/schema';
import { deploymentStackName } from '../../../core/deployment/stack-names';
import { DeploymentStack } from '../../../lib/stacks/deployment-stack';
import { addStacks } from '../../../lib/stacks/add-stacks';
import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { testRunFolder } from '../test-run';
import { QUIET_CONTEXT } from './app-process';
import { configuration, type WrittenDeployment } from './configuration';

// Skips the validation of templates against the CloudFormation schemas, which takes about 2 s; CI synthesizes
// with it.
process.env.CDK_VALIDATION = 'false';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder for the tests of one file, removed after them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
  folders.push(folder);
  return folder;
}

export function temporaryApp(): App {
  return new App({ outdir: temporaryFolder(), treeMetadata: false, context: QUIET_CONTEXT });
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string[];
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, unknown>;
}

export interface PlacedResource extends Resource {
  stack: string;
  logicalId: string;
}

export class Synthesis {
  readonly assembly: CloudAssembly;

  constructor(made: App | CloudAssembly) {
    this.assembly = made instanceof CloudAssembly ? made : made.synth();
  }

  stackNames(): string[] {
    return this.assembly.stacks.map(({ stackName }) => stackName);
  }

  template(stackName: string): Template {
    return this.assembly.getStackByName(stackName).template as Template;
  }

  codeFolders(): string[] {
    const { directory } = this.assembly;
    const assets = readdirSync(directory).filter((name) => name.startsWith('asset.'));
    return assets.map((name) => join(directory, name));
  }

  /** The `deployment.json` of every asset, unordered. */
  deploymentFiles(): DeploymentFile[] {
    return this.codeFolders().map(
      (folder) => JSON.parse(readFileSync(join(folder, 'deployment.json'), 'utf8')) as DeploymentFile,
    );
  }

  /** What the synthesis says, of all stacks. */
  messages(): string[] {
    return this.assembly.stacks.flatMap(({ messages }) => messages.map(({ entry }) => entry.data as string));
  }

  /** The statements that the policy of an existing key must have, as the synthesis says for one setting. */
  statementsForKey(setting: string): PolicyStatement[] {
    return this.messages()
      .filter((text) => text.startsWith(`${setting}: the key’s policy must have `))
      .flatMap((text) => {
        const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
        return JSON.parse(`[${json}]`) as PolicyStatement[];
      });
  }

  resources(type?: string): PlacedResource[] {
    return this.assembly.stacks.flatMap(({ stackName, template }) =>
      placed(stackName, template as Template, type),
    );
  }

  properties(type: string): Record<string, unknown>[] {
    return this.resources(type).map(({ Properties }) => Properties);
  }

  /** The only resource of a type, or the only one whose logical id begins like this. */
  only(type: string, idStart = ''): PlacedResource {
    const [found, ...others] = this.resources(type).filter(({ logicalId }) => logicalId.startsWith(idStart));
    if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} or none: ${type}`);
    return found;
  }

  /** The values of the published parameters, by the last parts of their names. */
  parameters(): Record<string, unknown> {
    return Object.fromEntries<unknown>(
      this.properties('AWS::SSM::Parameter').map(({ Name, Value }) => [
        String(Name).split('/').at(-1)!,
        Value,
      ]),
    );
  }

  /** The statements of policies of roles and of operators, each with the logical id of its policy, which begins like this. */
  statements(idStart = ''): (PolicyStatement & { logicalId: string })[] {
    return ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
      .flatMap((type) => this.resources(type))
      .filter(({ logicalId }) => logicalId.startsWith(idStart))
      .flatMap(({ logicalId, Properties: { PolicyDocument } }) =>
        (PolicyDocument as { Statement: PolicyStatement[] }).Statement.map((each) => ({
          logicalId,
          ...each,
        })),
      );
  }

  /** Resources of one stack, in template order. */
  resourcesOf(stackName: string, type?: string): PlacedResource[] {
    return placed(stackName, this.template(stackName), type);
  }
}

function placed(stack: string, { Resources }: Template, type?: string): PlacedResource[] {
  return Object.entries(Resources)
    .filter(([, resource]) => type === undefined || resource.Type === type)
    .map(([logicalId, { Properties = {}, ...rest }]) => ({ ...rest, Properties, stack, logicalId }));
}

/** Synthesizes exactly the stacks of a configuration. */
export function synthesize(configuration: Configuration): Synthesis {
  const app = temporaryApp();
  addStacks(app, configuration);
  return new Synthesis(app);
}

/**
 * Like {@link synthesize}, but once per configuration and test run, for all files and processes. Read-only,
 * since others share the result.
 */
export function synthesizeOnce(configuration: Configuration): Synthesis {
  const folder = testRunFolder();
  if (folder === undefined) return synthesize(configuration);
  const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
  const source = JSON.stringify([configuration, CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION]);
  const kept = join(folder, `synthesis-${createHash('sha256').update(source).digest('hex')}`);
  if (!existsSync(kept)) keep(synthesize(configuration), kept);
  return new Synthesis(new CloudAssembly(kept));
}

/** The same of the configuration with one deployment, which has these options. */
export function synthesisWith(deployment: Partial<WrittenDeployment> = {}): Synthesis {
  return synthesizeOnce(configuration(deployment));
}

/** Another process may have finished first, with the same result. */
function keep({ assembly }: Synthesis, kept: string): void {
  try {
    renameSync(assembly.directory, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
  }
}

/** Synthesizes the stack of the first deployment without its tenants' stacks, which take long. */
export function synthesizeDeploymentStack(configuration: Configuration): Synthesis {
  const app = temporaryApp();
  const deployment = configuration.deployments[0]!;
  const stackName = deploymentStackName(configuration.prefix, deployment);
  const { account, region } = deployment;
  new DeploymentStack(app, stackName, { configuration, deployment, env: { account, region } });
  return new Synthesis(app);
}
