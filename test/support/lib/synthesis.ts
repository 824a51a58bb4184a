import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';
import { type CloudAssembly } from 'aws-cdk-lib/cx-api';

import { type DeploymentFile } from '../../../contract/deployment-file';
import { type Configuration } from '../../../lib/config/schema';
import { addStacks } from '../../../lib/stacks/latchkey';

// The check of every template against the CloudFormation schemas takes about 2 s; the full synthesis in CI has it on.
process.env.CDK_VALIDATION = 'false';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder of its own for the tests of one file, removed when they are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
  folders.push(folder);
  return folder;
}

/** An app that writes its assembly into a temporary folder. */
export function temporaryApp(): App {
  return new App({ outdir: temporaryFolder() });
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, unknown>;
}

/** A resource with where it stands. */
export interface PlacedResource extends Resource {
  stack: string;
  logicalId: string;
}

/** What one synthesis wrote. */
export class Synthesis {
  readonly assembly: CloudAssembly;

  constructor(app: App) {
    this.assembly = app.synth();
  }

  stackNames(): string[] {
    return this.assembly.stacks.map(({ stackName }) => stackName);
  }

  /** The template of a stack, as written. */
  template(stackName: string): Template {
    return this.assembly.getStackByName(stackName).template as Template;
  }

  /** Folders of the assets that functions run. */
  codeFolders(): string[] {
    const { directory } = this.assembly;
    const assets = readdirSync(directory).filter((name) => name.startsWith('asset.'));
    return assets.map((name) => join(directory, name));
  }

  /** The `deployment.json` of every asset, in no order. */
  deploymentFiles(): DeploymentFile[] {
    return this.codeFolders().map(
      (folder) => JSON.parse(readFileSync(join(folder, 'deployment.json'), 'utf8')) as DeploymentFile,
    );
  }

  /** Resources of all stacks. */
  resources(type?: string): PlacedResource[] {
    return this.assembly.stacks.flatMap(({ stackName, template }) =>
      placed(stackName, template as Template, type),
    );
  }

  /** Resources of one stack, in the order of its template. */
  resourcesOf(stackName: string, type?: string): PlacedResource[] {
    return placed(stackName, this.template(stackName), type);
  }
}

function placed(stack: string, { Resources }: Template, type?: string): PlacedResource[] {
  return Object.entries(Resources)
    .filter(([, resource]) => type === undefined || resource.Type === type)
    .map(([logicalId, { Properties = {}, ...rest }]) => ({ ...rest, Properties, stack, logicalId }));
}

/** Synthesizes the stacks of a configuration, and nothing else. */
export function synthesize(configuration: Configuration): Synthesis {
  const app = temporaryApp();
  addStacks(app, configuration);
  return new Synthesis(app);
}
