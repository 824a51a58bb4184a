import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { type CloudAssembly, type Template, templateSchema } from 'cdk-on-loopback/testing';
import { type WrittenConfiguration } from '../support/lib/configuration';
import { synthesized } from '../support/live/configured';
import { Life, UNNOTICED } from './support/life';

const ROOT = join(__dirname, '../..');

/** The stacks of the local configuration as the saved release deployed them, with today's code. */
function savedStacks({ stacks }: CloudAssembly): Pick<CloudAssembly, 'stacks'> {
  const saved = gunzipSync(readFileSync(join(ROOT, 'test/upgrade/templates.json.gz'))).toString();
  const { local } = JSON.parse(saved) as { local: Record<string, unknown> };
  return {
    stacks: stacks.map((stack) => {
      const template = templateSchema.parse(local[stack.name]);
      const assetDirs = new Map(stack.assetDirs);
      for (const [logicalId, { S3Key }] of codeOf(template))
        assetDirs.set(S3Key, stack.assetDirs.get(codeOf(stack.template).get(logicalId)!.S3Key)!);
      return { ...stack, template, assetDirs };
    }),
  };
}

function codeOf({ Resources }: Template): Map<string, { S3Key: string }> {
  const functions = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  return new Map(functions.map(([id, { Properties }]) => [id, Properties.Code as { S3Key: string }]));
}

test('the saved release is upgraded without a failed read or a replaced secret', async () => {
  const file = readFileSync(join(ROOT, 'config/local.json'), 'utf8');
  const configuration = JSON.parse(file) as WrittenConfiguration;
  // The others are alike.
  const deployments = configuration.deployments.slice(0, 1);
  const today = synthesized({ ...configuration, deployments });
  const life = await Life.begin({ ...today, ...savedStacks(today) });
  const before = Object.keys(life.live.stored());
  await life.deploy(today);

  expect(await life.outcome()).toEqual(UNNOTICED);
  expect(Object.keys(life.live.stored())).toEqual(before);
});
