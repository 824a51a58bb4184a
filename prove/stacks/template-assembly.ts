import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { RUN_TAG } from '../../contract/run-tag';
import { type Place, type StackTemplate } from '../../probes/system';

/** CloudFormation takes larger templates from S3 only. @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const TEMPLATE_LIMIT_BYTES = 51_200;
/** Of the assembly's format: old enough for every CDK CLI that our stacks can be deployed with. */
const FORMAT_VERSION = '36.0.0';

export interface AssemblyOptions {
  readonly place: Place;
  /** The run's prefix. */
  readonly prefix: string;
  /** Of the account's CDK bootstrap stack. */
  readonly qualifier: string;
  /** Where to write it. */
  readonly parentDir: string;
}

/**
 * Writes templates as the cloud assembly that `cdk synth` would make of stacks without assets, tagged as the run's. Each stack
 * depends on the one before it, so that CDK keeps their order.
 * @returns its new folder
 */
export function writeAssembly(
  stacks: readonly StackTemplate[],
  { place, prefix, qualifier, parentDir }: AssemblyOptions,
): string {
  const { accountId, region } = place;
  const dir = mkdtempSync(join(parentDir, 'assembly-'));
  const role = (purpose: string) => roleArn(place, qualifier, purpose);
  const artifacts = stacks.map(({ name, template }, n) => {
    const templateFile = `${name}.template.json`;
    const text = JSON.stringify(template);
    if (Buffer.byteLength(text) > TEMPLATE_LIMIT_BYTES)
      throw new RangeError(`the template of ${name} is larger than ${TEMPLATE_LIMIT_BYTES} bytes`);
    writeFileSync(join(dir, templateFile), text);
    const artifact = {
      type: 'aws:cloudformation:stack',
      environment: `aws://${accountId}/${region}`,
      properties: {
        templateFile,
        stackName: name,
        tags: { [RUN_TAG]: prefix },
        assumeRoleArn: role('deploy-role'),
        cloudFormationExecutionRoleArn: role('cfn-exec-role'),
        requiresBootstrapStackVersion: 6,
        bootstrapStackVersionSsmParameter: `/cdk-bootstrap/${qualifier}/version`,
      },
      dependencies: stacks.slice(Math.max(n - 1, 0), n).map((before) => before.name),
    };
    return [name, artifact] as const;
  });
  const manifest = { version: FORMAT_VERSION, artifacts: Object.fromEntries(artifacts) };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest, null, 2));
  return dir;
}

/**
 * A role of the account's CDK bootstrap stack.
 * @see https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html
 */
export function roleArn({ partition, accountId, region }: Place, qualifier: string, purpose: string): string {
  return `arn:${partition}:iam::${accountId}:role/cdk-${qualifier}-${purpose}-${accountId}-${region}`;
}
