import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { publishingCommand } from '../../tools/builds/publishing';
import { actionsOf, violationsOf } from '../support/workflow-rules';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, '.github/workflows');
const files = readdirSync(FOLDER);
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

describe('the workflows', () => {
  it.each(files)('%s pins what it runs, and has no right that it does not need', (file) => {
    expect(violationsOf(textOf(file))).toEqual([]);
  });

  it('use one version of each action', () => {
    const versions = new Map<string, Set<string>>();
    for (const action of files.flatMap((file) => actionsOf(textOf(file)))) {
      // The parts of one repository, such as codeql-action/init, have one version.
      const [, repository, version] = /^([^/]+\/[^/@:]+)[^@]*@(\w+)$/.exec(action) ?? [];
      if (repository) versions.set(repository, (versions.get(repository) ?? new Set()).add(version!));
    }

    expect(versions.size).toBeGreaterThan(3);
    expect([...versions].filter(([, { size }]) => size > 1)).toEqual([]);
  });

  it('test the oldest Node that is supported, and each later release line with long-term support', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const { jobs } = parse(textOf('tests.yml')) as {
      jobs: { tests: { strategy: { matrix: { node: string[] } } } };
    };

    expect(jobs.tests.strategy.matrix.node).toEqual([engines.node.replace('>=', ''), '22', '24']);
    expect(engines.node).toContain(`>=${readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim()}.`);
  });
});

describe('a release', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'latchkey-publishing-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['1.0.0-rc.0', 'next', true],
    ['1.0.0', 'latest', false],
  ])('of %s is installed by those who ask for %s', (version, distTag, isCandidate) => {
    for (const place of ['release', 'files']) {
      mkdirSync(join(folder, place));
      writeFileSync(join(folder, place, `latchkey-${version}.tgz`), '');
    }

    expect(publishingCommand('npm', `v${version}`, folder)).toBe(
      `npm publish ./release/latchkey-${version}.tgz --provenance --access public --tag ${distTag} --ignore-scripts`,
    );
    expect(publishingCommand('github', `v${version}`, folder)).toBe(
      `gh release create v${version} files/latchkey-${version}.tgz --verify-tag --title v${version} --generate-notes --prerelease=${isCandidate}`,
    );
  });
});

describe('the rules', () => {
  const DIGEST = '0123456789abcdef0123456789abcdef01234567';
  const workflow = (changes: Record<string, string> = {}) => {
    const lines = {
      on: 'on: { push: {} }',
      permissions: 'permissions: {}',
      concurrency: 'concurrency: { group: g }',
      jobs: 'jobs: { j: { timeout-minutes: 5, permissions: { contents: read }, steps: [] } }',
      ...changes,
    };
    return Object.values(lines).join('\n');
  };
  const withStep = (step: string, permission = 'read') =>
    workflow({
      jobs: `jobs:\n  j:\n    timeout-minutes: 5\n    permissions: { contents: ${permission} }\n    steps:\n      - ${step}`,
    });

  it('accept a workflow that follows them', () => {
    expect(violationsOf(withStep(`uses: a/b/c@${DIGEST} # v1.2.3`))).toEqual([]);
  });

  it.each([
    [workflow({ on: 'on: { pull_request_target: {} }' }), 'runs on pull_request_target'],
    [workflow({ permissions: '' }), 'grants permissions to all jobs'],
    [workflow({ permissions: 'permissions: { contents: read }' }), 'grants permissions to all jobs'],
    [workflow({ concurrency: '' }), 'has no concurrency'],
    [workflow({ jobs: 'jobs: { j: { timeout-minutes: 5, steps: [] } }' }), 'j states no permissions'],
    [workflow({ jobs: 'jobs: { j: { permissions: {}, steps: [] } }' }), 'j has no timeout'],
    [withStep('uses: a/b@v1'), 'a/b@v1 is not pinned'],
    [withStep(`uses: a/b@${DIGEST}`), `a/b@${DIGEST} has no version`],
    [withStep('uses: docker://a/b:1.2.3'), 'docker://a/b:1.2.3 is not pinned'],
    [withStep('run: docker run a/b:1.2.3'), 'j runs an image that can change'],
    [withStep('run: npm ci', 'write'), 'j writes and runs code'],
    [withStep('run: echo ${{ github.head_ref }}'), 'j inserts an expression into a script'],
    [withStep(`uses: actions/checkout@${DIGEST} # v1.2.3`), 'j leaves its token in the checkout'],
  ])('%#: report the violation', (text, violation) => {
    expect(violationsOf(text)).toEqual([violation]);
  });
});
