import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isJsonObject } from '../json-object';
import { dependencyOrder } from './dependency-order';
import { templateSchema, type Template, TemplateError } from './template';

/** The account and region of stacks that do not set their own. */
export const DEFAULT_ACCOUNT_ID = '111111111111';
export const DEFAULT_REGION = 'eu-west-1';

/** The output of `cdk synth`, parsed. */
export interface CloudAssembly {
  accountId: string;
  region: string;
  /** In order of dependency. */
  stacks: AssemblyStack[];
}

export interface AssemblyStack {
  name: string;
  template: Template;
  /** Template parameter values from the assembly. */
  parameters: Record<string, string>;
  /** Folders of file assets, by the object keys that templates use. */
  assetDirs: Map<string, string>;
  isTerminationProtected?: boolean;
}

const artifact = z.looseObject({
  type: z.string(),
  environment: z.string().optional(),
  dependencies: z.array(z.string()).default([]),
  properties: z
    .looseObject({
      templateFile: z.string().optional(),
      stackName: z.string().optional(),
      parameters: z.record(z.string(), z.string()).default({}),
      file: z.string().optional(),
      directoryName: z.string().optional(),
      terminationProtection: z.boolean().default(false),
    })
    .prefault({}),
});
type Artifact = z.output<typeof artifact>;
const manifestSchema = z.looseObject({ artifacts: z.record(z.string(), artifact).default({}) });
const assetManifestSchema = z.looseObject({
  files: z
    .record(
      z.string(),
      z.looseObject({
        source: z.looseObject({ path: z.string().optional(), packaging: z.string().optional() }),
        destinations: z.record(z.string(), z.looseObject({ objectKey: z.string() })),
      }),
    )
    .default({}),
  dockerImages: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Reads a cloud assembly directory.
 * @throws {TemplateError} if it is unreadable or not supported here: nested assemblies, images, several accounts or regions
 * @see AWS CDK, "cloud-assembly-schema"
 */
export function readAssembly(dir: string): CloudAssembly {
  const { artifacts } = readJson(join(dir, 'manifest.json'), manifestSchema);
  refuseNested(dir, artifacts);
  const assetDirs = readAssets(dir, artifacts);
  const environments = new Set<string>();
  const stacks = stacksInOrder(artifacts).map(([id, { properties, environment }]) => {
    environments.add(environment ?? 'aws://unknown-account/unknown-region');
    if (!properties.templateFile)
      throw new TemplateError('assembly_unreadable', `stack ${id} has no template file`);
    const template = readJson(join(dir, properties.templateFile), templateSchema);
    addNamedCode(dir, template, assetDirs);
    return {
      name: properties.stackName ?? id,
      template,
      parameters: properties.parameters,
      assetDirs,
      isTerminationProtected: properties.terminationProtection,
    };
  });
  return { ...oneEnvironment(environments), stacks };
}

function readJson<T>(file: string, schema: z.ZodType<T>): T {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new TemplateError('assembly_unreadable', `cannot read ${file}: ${String(cause)}`, { cause });
  }
  const parsed = schema.safeParse(content);
  if (!parsed.success) {
    throw new TemplateError(
      'not_supported',
      `${file} contains something that the local account does not support:\n${z.prettifyError(parsed.error)}`,
    );
  }
  return parsed.data;
}

function refuseNested(dir: string, artifacts: Record<string, Artifact>): void {
  const stages = Object.entries(artifacts).flatMap(([id, { type, properties }]) =>
    type === 'cdk:cloud-assembly' ? [`--assembly ${join(dir, properties.directoryName ?? id)}`] : [],
  );
  if (stages.length === 0) return;
  throw new TemplateError(
    'not_supported',
    `${dir} has CDK stages, but a local run takes one; choose one: ${stages.join(' or ')}`,
  );
}

function readAssets(dir: string, artifacts: Record<string, Artifact>): Map<string, string> {
  const assetDirs = new Map<string, string>();
  for (const { type, properties } of Object.values(artifacts)) {
    if (type !== 'cdk:asset-manifest' || !properties.file) continue;
    const manifest = readJson(join(dir, properties.file), assetManifestSchema);
    const image = Object.keys(manifest.dockerImages)[0];
    if (image)
      throw new TemplateError(
        'not_supported',
        `${properties.file} declares container image ${image}: not supported`,
      );
    for (const { source, destinations } of Object.values(manifest.files)) {
      // Assets with packaging `file` are the templates themselves.
      if (source.packaging !== 'zip' || !source.path) continue;
      for (const { objectKey } of Object.values(destinations))
        assetDirs.set(objectKey, join(dir, source.path));
    }
  }
  return assetDirs;
}

/**
 * Adds code that is not an asset of this assembly, from the folders that the metadata `aws:asset:path` names for AWS SAM.
 * @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-cdk-testing.html
 */
function addNamedCode(dir: string, { Resources }: Template, assetDirs: Map<string, string>): void {
  for (const { Properties, Metadata } of Object.values(Resources)) {
    const path = isJsonObject(Metadata) ? Metadata['aws:asset:path'] : undefined;
    const key = isJsonObject(Properties.Code) ? Properties.Code.S3Key : undefined;
    if (typeof path === 'string' && typeof key === 'string' && !assetDirs.has(key))
      assetDirs.set(key, join(dir, path));
  }
}

/** The stacks among the artifacts, each after those that it depends on. */
function stacksInOrder(artifacts: Record<string, Artifact>): [string, Artifact][] {
  const ids = dependencyOrder(
    Object.keys(artifacts),
    (id) => artifacts[id]!.dependencies,
    ([id]) => new TemplateError('invalid_template', `stack ${id} depends on itself`),
  );
  return ids
    .map((id): [string, Artifact] => [id, artifacts[id]!])
    .filter(([, { type }]) => type === 'aws:cloudformation:stack');
}

function oneEnvironment(environments: Set<string>): { accountId: string; region: string } {
  const accountsAndRegions = new Set(
    [...environments].map((environment) => {
      const [, account = '', region = ''] = /^aws:\/\/([^/]+)\/([^/]+)$/.exec(environment) ?? [];
      return `${account === 'unknown-account' ? DEFAULT_ACCOUNT_ID : account}/${region === 'unknown-region' ? DEFAULT_REGION : region}`;
    }),
  );
  const [only = `${DEFAULT_ACCOUNT_ID}/${DEFAULT_REGION}`, another] = accountsAndRegions;
  if (another) {
    throw new TemplateError(
      'not_supported',
      `stacks target ${only} and ${another}; a local run supports one account and region`,
    );
  }
  const [accountId = '', region = ''] = only.split('/');
  return { accountId, region };
}
