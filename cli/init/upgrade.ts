import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { harmless } from '../../contract/harmless-text';
import { shellWord } from '../../contract/shell-word';
import { type Migration, migrated } from '../../lib/config/configuration-version';
import { ConfigurationError, parseConfiguration, readConfigurationFile } from '../../lib/config/load';
import { configurationJsonSchema } from '../../lib/config/schema';
import { type CommandContext } from '../command';
import { CommandError, interruption, usageError } from '../command-error';
import { flagOf } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { showFile } from '../safe-text';
import { USUAL_CONFIGURATION } from '../system';
import { type Style } from '../terminal';
import { editJson } from './edit-json';
import { type InitFlags } from './init-flags';
import { unifiedDiff } from './unified-diff';
import { writeAtomically } from './write-atomically';
import { textOf, writeUnlessChanged } from './write-unless-changed';

/** The schema for editors, beside the configuration. */
export const SCHEMA_FILE = 'latchkey.schema.json';

/** The flags that go together with `--upgrade`. */
const FLAGS = ['upgrade', 'dryRun', 'yes', 'config', 'json', 'color', 'variables', 'profile'];

/**
 * `latchkey init --upgrade`: writes a configuration of an older version in the newest form, and the schema for editors beside
 * it. Shows the change first, and asks.
 * @throws {CommandError} usage, if the configuration is invalid or of a newer version
 */
export async function upgrade(context: CommandContext, flags: InitFlags): Promise<ExitCode> {
  const { terminal } = context;
  const name = flags.config ?? USUAL_CONFIGURATION;
  requireNoOthers(flags);
  const { file, before, after, from, to } = readUpgraded(name);
  const schema = staleSchema(file);
  const diff = unifiedDiff(name, before, after).map(harmless);
  const found = { file, from, to, diff, schema: schema !== undefined };
  if (before === after && schema === undefined) {
    terminal.result(
      { ...found, written: [] },
      (style) => `${style.good('✓')} ${name} has the newest form, version ${to}: nothing to do`,
    );
    return EXIT.done;
  }
  const shown = (style: Style) => [
    ...diff.map((line) => painted(line, style)),
    ...(schema === undefined
      ? []
      : [`${relative('', schema)}: for your editor, will be that of this version`]),
  ];
  const command = `latchkey init --upgrade${flags.config === undefined ? '' : ` --config ${shellWord(name)}`}`;
  if (flags.dryRun === true) {
    terminal.result({ ...found, written: [], next: [command] }, (style) =>
      [...shown(style), 'Nothing was written', `${style.bold('Next')}: ${command}`].join('\n'),
    );
    return EXIT.done;
  }
  if (flags.yes !== true) {
    if (!terminal.isInteractive) {
      throw usageError('--upgrade', 'nobody to ask', '--yes to write the change, --dry-run to see it');
    }
    for (const line of shown(terminal.messageStyle)) terminal.say(line);
    if (!(await terminal.confirm(`Write ${name} in the form of version ${to}?`))) {
      terminal.say(`${name} is unchanged`);
      return EXIT.failed;
    }
  }
  if (terminal.interrupted.aborted) throw interruption();
  const files = [
    ...(schema === undefined ? [] : [[schema, configurationJsonSchema()] as const]),
    [file, after] as const,
  ];
  writeUnlessChanged(file, name, before, () => {
    for (const [path, text] of files) if (textOf(path) !== text) writeAtomically(path, text);
  });
  terminal.result(
    { ...found, written: files.map(([path]) => path) },
    (style) => `${style.good('✓')} Wrote ${name}: version ${from} → ${to}`,
  );
  return EXIT.done;
}

/**
 * A configuration's text in the newest form. Whatever did not change keeps its formatting.
 * @param text valid JSON
 */
export function upgradedText(
  text: string,
  migrations?: readonly Migration[],
): { text: string; from: number; to: number } {
  const { value, from, to } = migrated(JSON.parse(text), migrations);
  const upgraded = editJson(text, value);
  if (!isDeepStrictEqual(JSON.parse(upgraded), value))
    throw new TypeError('the text is not the configuration');
  return { text: upgraded, from, to };
}

/** @throws {CommandError} usage, if a flag says what only a new configuration has */
function requireNoOthers(flags: InitFlags & { variables?: object }): void {
  const ofVariables = Object.keys(flags.variables ?? {});
  const other = Object.entries(flags).find(
    ([name, value]) => value !== undefined && !FLAGS.includes(name) && !ofVariables.includes(name),
  );
  if (other !== undefined) {
    throw usageError(flagOf(other[0]), 'a value with --upgrade', '--config, --dry-run and --yes');
  }
}

function readUpgraded(name: string): {
  file: string;
  before: string;
  after: string;
  from: number;
  to: number;
} {
  if (!existsSync(name)) {
    throw usageError(
      '--upgrade',
      `no ${showFile(name)}`,
      'an existing configuration',
      'To write one: `latchkey init`',
    );
  }
  // A symbolic link stays one.
  const file = realpathSync(resolve(name));
  try {
    const { text: before, value } = readConfigurationFile(file);
    parseConfiguration(value, name);
    const { text: after, from, to } = upgradedText(before);
    return { file, before, after, from, to };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(EXIT.usage, 'usage', `${error.message}\nnothing was written`);
  }
}

/** The path of a schema beside the configuration that is ours, but of another version. */
function staleSchema(file: string): string | undefined {
  const path = join(dirname(file), SCHEMA_FILE);
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as { title?: unknown };
    const ours = JSON.parse(configurationJsonSchema()) as { title: string };
    return found.title === ours.title && !isDeepStrictEqual(found, ours) ? path : undefined;
  } catch {
    return undefined;
  }
}

function painted(line: string, style: Style): string {
  if (/^(---|\+\+\+) /.test(line)) return style.bold(line);
  if (line.startsWith('@@')) return style.dim(line);
  return line.startsWith('-') ? style.bad(line) : line.startsWith('+') ? style.good(line) : line;
}
