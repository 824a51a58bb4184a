import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ACCOUNT_ID, configuration, REGION, tenant } from '../support/lib/configuration';
import { provisionSynthesis } from '../support/lib/provisioned';
import { type Synthesis, synthesisWith, synthesize } from '../support/lib/synthesis';
import { unzipped } from '../support/lib/unzipped';

const CONFIG = `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:code-signing-config:csc-0f0f0f0f0f0f0f0f0`;
const codeSigning = { configArn: CONFIG, signed: { bucket: 'company-signed-code', prefix: 'latchkey/' } };
const signed = synthesisWith({ codeSigning });

/** The S3 keys of a synthesis' functions, sorted. */
const keysOf = (synthesis: Synthesis): string[] =>
  synthesis
    .properties('AWS::Lambda::Function')
    .map(({ Code }) => (Code as { S3Key: string }).S3Key)
    .sort();

/** The bundles to sign, by name. */
function bundlesOf({ assembly: { directory } }: Synthesis): Record<string, Buffer> {
  const folder = join(directory, 'bundles');
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

it('every function has its code from the bucket, and the code signing configuration', () => {
  const functions = signed.properties('AWS::Lambda::Function');

  expect(functions).toHaveLength(6);
  for (const { Code, CodeSigningConfigArn } of functions) {
    expect(Code).toMatchObject({ S3Bucket: 'company-signed-code' });
    expect(CodeSigningConfigArn).toBe(CONFIG);
  }
  expect(keysOf(signed)).toEqual(
    ['authorizer', 'credential-watch', 'restore', 'rotate-credentials', 'token-refresh', 'token-sweep'].map(
      (name) => expect.stringMatching(RegExp(`^latchkey/${name}-[0-9a-f]{64}\\.zip$`)) as string,
    ),
  );
  expect(signed.codeFolders()).toEqual([]);
});

it('the bundle to sign for each key has its digest, and the files that an unsigned deployment has', () => {
  const unsigned = synthesisWith();
  const deployed = new Map(
    unsigned.codeFolders().map((folder) => {
      const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
      return [readFileSync(join(folder, 'handler.js'), 'utf8'), Object.fromEntries(files) as object];
    }),
  );
  const bundles = bundlesOf(signed);

  expect(Object.keys(bundles).map((name) => `latchkey/${name}`)).toEqual(keysOf(signed));
  for (const [name, zip] of Object.entries(bundles)) {
    expect(name).toContain(createHash('sha256').update(zip).digest('hex'));
    const files = unzipped(zip);
    expect(files).toEqual(deployed.get(files['handler.js']!));
  }
});

it('the same version and configuration make the same bytes', () => {
  const again = synthesize(configuration({ codeSigning }));

  expect(bundlesOf(again)).toEqual(bundlesOf(signed));
  expect(keysOf(again)).toEqual(keysOf(signed));
});

it('bundles that were signed for another configuration are not found', () => {
  const other = synthesisWith({ codeSigning, tenants: [tenant('tenant-b')] });

  expect(keysOf(other).filter((key) => keysOf(signed).includes(key))).toEqual([]);
});

it('the laptop runs the same code without a bucket', () => {
  const { functions } = provisionSynthesis(signed).account;

  for (const { codeDir } of functions.values())
    expect(readdirSync(codeDir).sort()).toEqual(['deployment.json', 'handler.js']);
});
