import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { GENERATED_PAGES } from './generated-pages';

/**
 * `npm run docs` updates the generated pages: all, or those whose paths begin with one of the arguments. With `--check`
 * before them, it shows what is stale instead, and exits with 1. Paths are relative to the working directory, which npm
 * sets to the project's root.
 */
async function main(args: readonly string[]): Promise<void> {
  const isCheck = args[0] === '--check';
  const beginnings = isCheck ? args.slice(1) : args;
  const unknown = beginnings.find((each) => !GENERATED_PAGES.some(({ file }) => file.startsWith(each)));
  if (unknown !== undefined) {
    console.error(
      `page: found ${unknown}; allowed: --check, and what the path of a generated page begins with`,
    );
    process.exitCode = 2;
    return;
  }
  for (const page of GENERATED_PAGES) {
    if (beginnings.length > 0 && !beginnings.some((each) => page.file.startsWith(each))) continue;
    const current = existsSync(page.file) ? readFileSync(page.file, 'utf8') : '';
    const text = await page.text(current);
    if (text === current) continue;
    if (isCheck) {
      console.error(`${page.file} is stale; run: npm run docs\n${differenceTo(page.file, text)}`);
      process.exitCode = 1;
    } else {
      mkdirSync(dirname(page.file), { recursive: true });
      writeFileSync(page.file, text);
      console.log(`wrote ${page.file}`);
    }
  }
}

/** The changed lines of a file that may not exist, as git shows them. */
function differenceTo(file: string, text: string): string {
  const current = existsSync(file) ? file : '/dev/null';
  const args = ['diff', '--no-index', '--no-color', '--unified=1', '--', current, '-'];
  const { stdout } = spawnSync('git', args, { input: text, encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => /^[-+@]/.test(line))
    .slice(2)
    .join('\n');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
