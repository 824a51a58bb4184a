import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { GENERATED_PAGES } from './generated-pages';

/**
 * `npm run docs` updates the generated pages. With `--check` it names the stale ones instead, and exits with 1. Paths are
 * relative to the working directory, which npm sets to the project's root.
 */
async function main([option]: readonly string[]): Promise<void> {
  if (option !== undefined && option !== '--check') {
    console.error(`option: found ${option}; allowed: --check`);
    process.exitCode = 2;
    return;
  }
  for (const page of GENERATED_PAGES) {
    const current = existsSync(page.file) ? readFileSync(page.file, 'utf8') : '';
    const text = await page.text(current);
    if (text === current) continue;
    if (option === '--check') {
      console.error(`${page.file} is stale; run: npm run docs`);
      process.exitCode = 1;
    } else {
      writeFileSync(page.file, text);
      console.log(`wrote ${page.file}`);
    }
  }
}

void main(process.argv.slice(2));
