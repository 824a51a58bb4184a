import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { publishingCommand } from '../../tools/builds/publishing';
import { newFolder } from '../support/new-folder';
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
  it.each([
    ['1.0.0-rc.0', 'next', true],
    ['1.0.0', 'latest', false],
  ])('of %s is installed by those who ask for %s', (version, distTag, isCandidate) => {
    const folder = newFolder();
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
