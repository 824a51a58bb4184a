import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { anchorsOf, linksOf } from '../../support/page-links';

const ROOT = join(__dirname, '../../..');
/** Links of GitHub's own form, and of a page that is read in another folder. */
const ELSEWHERE = ['.github/pull_request_template.md', 'tools/builds/package-readme.md'];
const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .filter((file) => existsSync(join(ROOT, file)));
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Whether a link leads to a file, and to a heading of it if it names one. */
function leadsNowhere(target: string): boolean {
  const [path = '', anchor] = target.split('#') as [string, string?];
  if (!existsSync(join(ROOT, path))) return true;
  return anchor !== undefined && path.endsWith('.md') && !anchorsOf(textOf(path)).includes(anchor);
}

it('every link of a page leads to a file, and to a heading of it', () => {
  const pages = files.filter((file) => file.endsWith('.md') && !ELSEWHERE.includes(file));

  const dead = pages.flatMap((page) =>
    linksOf(textOf(page))
      .map((link) => (link.startsWith('#') ? page + link : normalize(join(dirname(page), link))))
      .filter(leadsNowhere)
      .map((target) => `${page}: ${target}`),
  );

  expect(pages.length).toBeGreaterThan(50);
  expect(dead).toEqual([]);
});

it('every page is in the list of pages', () => {
  const listed = linksOf(textOf('docs/README.md')).map((link) => join('docs', link));
  const pages = files.filter((file) => /^docs\/(?!README|decisions\/|api\/reports\/).*\.md$/.test(file));

  expect(pages.filter((page) => !listed.includes(page))).toEqual([]);
});

it('every link to the repository on its web site leads to a file, and to a heading of it', () => {
  const texts = files.filter((file) => /\.(md|yml|ts)$/.test(file));

  const targets = texts.flatMap((file) =>
    [
      ...textOf(file).matchAll(/latchkey-toolkit\/latchkey\/(?:blob|tree)\/main\/([\w./-]+(?:#[\w-]+)?)/g),
    ].map(([, target]) => target!),
  );

  expect(targets.length).toBeGreaterThan(5);
  expect(targets.filter(leadsNowhere)).toEqual([]);
});

it('every page that a program names exists, and so does its heading', () => {
  const programs = files.filter((file) =>
    /^(bin|cli|client|core|lambdas|laptop|lib|packages)\/.*\.[cm]?[jt]s$/.test(file),
  );

  const dead = programs.flatMap((program) =>
    [...textOf(program).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)]
      .map(([page]) => page)
      .filter((page) => !page.startsWith('docs/amazon-') && leadsNowhere(page))
      .map((page) => `${program}: ${page}`),
  );

  expect(dead).toEqual([]);
});
