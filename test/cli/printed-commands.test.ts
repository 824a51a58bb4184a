import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { CommanderError } from 'commander';

import { EXIT } from '../../cli/exit-codes';
import { helpPage } from '../../tools/docs/help-page';
import { idleProgram } from './support/command-line';

const ROOT = join(__dirname, '../..');
/** What readers put into a command themselves, or the shell does. */
const PLACEHOLDERS: Record<string, string> = {
  '"$ENVIRONMENT"': 'staging',
  '"$REGION"': 'global',
  '"$TENANT"': 'eu-west-2_AbcdEfghI',
  '…': '',
};

const pages = ['.', 'docs', 'docs/runbook', ...foldersIn('examples'), ...foldersIn('packages')].flatMap(
  (folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
      .map((name) => join(ROOT, folder, name)),
);

function foldersIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
}

/** The lines of all shell blocks and all code within sentences, without comments, and with continued lines joined. */
function printedLines(page: string): string[] {
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(/^ *```(?:sh|console)\n([^]*?)^ *```$/gm)].map(([, block]) => block!);
  const inline = [...text.replaceAll(/^ *```[^]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code]) => code!,
  );
  return [...blocks.join('\n').replaceAll('\\\n', ' ').split('\n'), ...inline].map((line) =>
    line.replace(/ {2,}[a-z].*$|(^| )#.*$/, ''),
  );
}

/** The commands in a line that this program runs, such as `latchkey status --local`, as words. */
function commandsIn(line: string, program: RegExp): string[][] {
  const parts = line
    .replaceAll(/\$\((?!npx |latchkey )[^)]*\)/g, 'value')
    .split(/\||&&|;|<\(|"?\$\(|^\w+="|^! /)
    .map((part) => part.trim().replace(/\)"?$/, ''));
  return parts
    .filter((part) => program.test(part))
    .map((part) =>
      [...part.replace(program, '').matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(
        ([word]) => PLACEHOLDERS[word] ?? word.replaceAll(/^['"]|['"]$/g, ''),
      ),
    );
}

const printed = (program: RegExp) =>
  pages.flatMap((page) =>
    printedLines(page)
      .flatMap((line) => commandsIn(line, program))
      .map((words) => [relative(ROOT, page), words.join(' '), words] as const),
  );

const onlyOnce = (rows: ReturnType<typeof printed>) => [
  ...new Map(rows.map((row) => [row[1], row])).values(),
];
const LATCHKEY = /^(npx )?latchkey (?=[a-z]|--help)/;
/** The examples of each command, which docs/command.md has as well. */
const examples = [...helpPage().matchAll(/^ {2}((?:source <\()?latchkey .+)$/gm)].flatMap(([, line]) =>
  commandsIn(line!, LATCHKEY).map((words) => ['--help', words.join(' '), words] as const),
);
const seen = onlyOnce([...printed(LATCHKEY), ...examples]);

it('finds the commands of the pages, and the examples of help', () => {
  expect(seen.length).toBeGreaterThan(50);
  expect(examples.length).toBeGreaterThan(30);
});

it('docs/command.md lists every exit code', () => {
  const page = readFileSync(join(ROOT, 'docs/command.md'), 'utf8');
  const documented = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));

  expect(documented).toEqual(Object.values(EXIT));
});

it.each(seen)('%s: latchkey %s', async (_, __, words) => {
  const program = idleProgram();

  const failure: unknown = await program
    .parseAsync([...words], { from: 'user' })
    .catch((error: unknown) => error);

  // Help is shown by an error of its own.
  if (failure instanceof CommanderError) expect(failure.message).toBe('(outputHelp)');
  else expect(failure).toBe(program);
});

it.each(onlyOnce(printed(/^npm run /)))('%s: npm run %s', (page, _, words) => {
  const scripts = [dirname(page), '.'].flatMap((folder) => {
    const manifest = join(ROOT, folder, 'package.json');
    if (!existsSync(manifest)) return [];
    return Object.keys((JSON.parse(readFileSync(manifest, 'utf8')) as { scripts?: object }).scripts ?? {});
  });

  expect(scripts).toContain(words[0]);
});
