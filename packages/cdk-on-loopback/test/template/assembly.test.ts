import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssembly } from '../../src/template/assembly';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'assembly-'))));
afterEach(() => rmSync(dir, { recursive: true }));

const write = (name: string, content: unknown): void =>
  writeFileSync(join(dir, name), JSON.stringify(content));
const stack = (
  name: string,
  dependencies: string[] = [],
  environment = 'aws://222222222222/eu-central-1',
) => ({
  type: 'aws:cloudformation:stack',
  environment,
  dependencies,
  properties: { templateFile: `${name}.template.json`, stackName: name },
});
/** Writes an assembly of stacks without resources. */
const writeStacks = (stacks: Record<string, ReturnType<typeof stack>>, more: object = {}): void => {
  write('manifest.json', { version: '48.0.0', artifacts: { ...stacks, ...more } });
  for (const name of Object.keys(stacks)) write(`${name}.template.json`, { Resources: {} });
};

test('returns stacks in order of dependency, with account, region and asset folders', () => {
  writeStacks(
    { second: stack('second', ['first', 'second.assets']), first: stack('first') },
    {
      'second.assets': { type: 'cdk:asset-manifest', properties: { file: 'second.assets.json' } },
      Tree: { type: 'cdk:tree', properties: { file: 'tree.json' } },
    },
  );
  write('second.assets.json', {
    files: {
      abc: {
        source: { path: 'asset.abc', packaging: 'zip' },
        destinations: { here: { bucketName: 'b', objectKey: 'abc.zip' } },
      },
      def: {
        source: { path: 'second.template.json', packaging: 'file' },
        destinations: { here: { objectKey: 'def.json' } },
      },
      // Those of a stage are above its own folder.
      ghi: {
        source: { path: '../asset.ghi', packaging: 'zip' },
        destinations: { here: { bucketName: 'b', objectKey: 'ghi.zip' } },
      },
    },
  });

  const assembly = readAssembly(dir);

  expect(assembly.stacks.map(({ name }) => name)).toEqual(['first', 'second']);
  expect(assembly).toMatchObject({ accountId: '222222222222', region: 'eu-central-1' });
  expect([...assembly.stacks[1]!.assetDirs]).toEqual([
    ['abc.zip', join(dir, 'asset.abc')],
    ['ghi.zip', join(dir, '../asset.ghi')],
  ]);
});

test('puts stacks without an environment into the example account', () => {
  writeStacks({ app: stack('app', [], 'aws://unknown-account/unknown-region') });

  expect(readAssembly(dir)).toMatchObject({ accountId: '111111111111', region: 'eu-west-1' });
});

test('refuses stacks for several accounts or regions', () => {
  writeStacks({ a: stack('a'), b: stack('b', [], 'aws://222222222222/eu-west-1') });

  expect(() => readAssembly(dir)).toThrow(
    'stacks target 222222222222/eu-central-1 and 222222222222/eu-west-1',
  );
});

test.each([
  [
    'stages, and names those to choose from',
    {
      artifacts: {
        a: { type: 'cdk:cloud-assembly', properties: { directoryName: 'assembly-A' } },
        b: { type: 'cdk:cloud-assembly', properties: { directoryName: 'assembly-B' } },
      },
    },
    /choose one: --assembly \S+\/assembly-A or --assembly \S+\/assembly-B$/,
  ],
  ['an invalid manifest', [], 'contains something that the local account does not support'],
])('refuses %s', (_, manifest, message) => {
  write('manifest.json', manifest);

  expect(() => readAssembly(dir)).toThrow(message);
});

test('names a missing file', () => {
  expect(() => readAssembly(dir)).toThrow(`cannot read ${join(dir, 'manifest.json')}`);
});

test('names the file and the section of a template that is not supported', () => {
  write('manifest.json', { artifacts: { app: stack('app') } });
  write('app.template.json', { Resources: {}, Transform: 'AWS::Include' });

  expect(() => readAssembly(dir)).toThrow(
    /app\.template\.json contains something that the local account does not support:[^]*Transform/,
  );
});
