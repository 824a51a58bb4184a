import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { parse } from 'yaml';

interface Update {
  'package-ecosystem': string;
  directory: string;
  cooldown: { 'default-days': number };
  groups: Record<string, { patterns: string[] }>;
  ignore?: { 'dependency-name': string; versions?: string[]; 'update-types'?: string[] }[];
}

const ROOT = join(__dirname, '../..');
const { updates } = parse(readFileSync(join(ROOT, '.github/dependabot.yml'), 'utf8')) as {
  updates: Update[];
};
const npmUpdates = updates.filter((update) => update['package-ecosystem'] === 'npm');
const packagesOf = (directory: string) =>
  JSON.parse(readFileSync(join(ROOT, directory, 'package.json'), 'utf8')) as {
    engines?: { node: string };
    workspaces?: string[];
    dependencies: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
const versionsOf = (directory: string): Record<string, string> => {
  const { dependencies, devDependencies, workspaces = [] } = packagesOf(directory);
  return Object.assign({ ...dependencies, ...devDependencies }, ...workspaces.map(versionsOf)) as Record<
    string,
    string
  >;
};
const matches = (pattern: string, name: string) =>
  new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);

it('covers each lock file, and the actions', () => {
  const files = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: ROOT, encoding: 'utf8' });
  const folders = files
    .trim()
    .split('\n')
    .map((file) => resolve('/', dirname(file)));

  expect(npmUpdates.map(({ directory }) => directory).sort()).toEqual(folders.sort());
  expect(updates.filter((update) => update['package-ecosystem'] === 'github-actions')).toHaveLength(1);
});

it('waits for a week with each new version', () => {
  expect(updates.map(({ cooldown }) => cooldown['default-days'])).toEqual(updates.map(() => 7));
});

describe.each(npmUpdates)('in $directory', ({ directory, groups, ignore = [] }) => {
  const versions = versionsOf(directory);
  const groupOf = (name: string) =>
    Object.keys(groups).find((group) => groups[group]!.patterns.some((pattern) => matches(pattern, name)));

  it('each group and each ignored package exists', () => {
    const patterns = [
      ...Object.values(groups).flatMap((group) => group.patterns),
      ...ignore.map((each) => each['dependency-name']),
    ];

    expect(
      patterns.filter((pattern) => !Object.keys(versions).some((name) => matches(pattern, name))),
    ).toEqual([]);
  });

  it('the clients of the AWS SDK change together', () => {
    const clients = Object.keys(versions).filter((name) => name.startsWith('@aws-sdk/'));

    expect(new Set(clients.map(groupOf)).size).toBe(clients.length > 0 ? 1 : 0);
  });
});

it('ignores only versions after the one in use', () => {
  const majors = npmUpdates.flatMap(({ directory, ignore = [] }) =>
    ignore.flatMap(({ 'dependency-name': pattern, versions = [] }) =>
      Object.entries(versionsOf(directory))
        .filter(([name]) => versions.length > 0 && matches(pattern, name))
        .map(([, version]) => ({ inUse: Number.parseInt(version, 10), ignored: versions })),
    ),
  );

  expect(majors.length).toBeGreaterThan(2);
  for (const { inUse, ignored } of majors) expect(ignored).toEqual([`>=${inUse + 1}`]);
});

it('keeps the types of Node those of the oldest Node that is supported', () => {
  const oldest = packagesOf('.').engines!.node.replace('>=', '').split('.')[0]!;
  const rule = npmUpdates
    .find(({ directory }) => directory === '/')!
    .ignore!.find((each) => each['dependency-name'] === '@types/node')!;

  expect(versionsOf('.')['@types/node']).toMatch(new RegExp(`^${oldest}\\.`));
  expect(rule['update-types']).toEqual(['version-update:semver-major']);
});

it('leaves the command of the CDK alone, which is pinned to one version', () => {
  const { ignore } = npmUpdates.find(({ directory }) => directory === '/')!;

  expect(versionsOf('.')['aws-cdk']).toMatch(/^\d+\.\d+\.\d+$/);
  expect(ignore).toContainEqual({ 'dependency-name': 'aws-cdk' });
});
