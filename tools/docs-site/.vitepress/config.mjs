import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { defineConfig } from 'vitepress';

import { anchorOf } from '../../../test/support/page-links';

const ROOT = join(import.meta.dirname, '../../..');
const REPOSITORY = 'https://github.com/latchkey-toolkit/latchkey';

/** Templates, reports for reviewers of a release, and a text that a page shows. */
const LEFT_OUT = ['.github', 'dist', 'docs/api/reports', 'tools', 'packages/*/src'].map(
  (folder) => `${folder}/**`,
);
const PAGES = execFileSync('git', ['ls-files', '*.md', ...LEFT_OUT.map((each) => `:!${each}`)], {
  cwd: ROOT,
  encoding: 'utf8',
}).split('\n');

/** A link to a folder, or to a file that is no page, leads to the repository. */
function linkToRepository(md) {
  md.core.ruler.push('link-to-repository', ({ tokens, env }) => {
    const folder = dirname(relative(ROOT, env.realPath ?? env.path));
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const [path = ''] = link.attrGet('href')?.split('#') ?? [];
      const target = join(folder, path);
      const isElsewhere = !PAGES.includes(target) && existsSync(join(ROOT, target));
      if (path !== '' && isElsewhere) link.attrSet('href', `${REPOSITORY}/blob/main/${target}`);
    }
  });
}

/** A group for each section of docs/README.md, with the pages that it links to, in its order. */
function sidebar() {
  const [, ...sections] = readFileSync(join(ROOT, 'docs/README.md'), 'utf8').split(/^## /m);
  return sections.map((section) => ({
    text: section.split('\n', 1)[0],
    items: [...section.matchAll(/\[`?([^\]`]+)`?\]\(((?!\.\.)[\w./-]+)\.md\)/g)].map(([, text, page]) => ({
      text,
      link: `/docs/${page.replace(/README$/, '')}`,
    })),
  }));
}

/** The pages as they are in the repository, as a site with a search. A dead link fails the build. */
export default defineConfig({
  title: 'Latchkey',
  srcDir: ROOT,
  srcExclude: LEFT_OUT,
  outDir: join(ROOT, 'dist/docs-site'),
  cacheDir: join(ROOT, 'dist/docs-site-cache'),
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  markdown: { anchor: { slugify: anchorOf }, config: linkToRepository },
  // Vite looks for Vue beside the pages, where it is not.
  vite: {
    resolve: { alias: { vue: join(import.meta.dirname, '../node_modules/vue') } },
    ssr: { noExternal: ['entities'] },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: [2, 3],
    nav: [
      { text: 'All pages', link: '/docs/' },
      { text: 'Repository', link: REPOSITORY },
    ],
  },
});
