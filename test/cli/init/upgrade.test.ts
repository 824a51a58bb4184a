import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openConfiguredSystem } from '../../../cli/configured-system';
import { init } from '../../../cli/init-command';
import { type InitFlags } from '../../../cli/init/init-flags';
import { upgradedText } from '../../../cli/init/upgrade';
import { configurationJsonSchema } from '../../../lib/config/schema';
import { FakeTerminal } from '../support/fake-terminal';
import { failureOf, OperatedSystem } from '../support/operated-system';

const SAVED = join(__dirname, '../../upgrade/configuration-0.json');
const LINE = '  "version": 1,\n';

let dir: string;
let config: string;
const text = () => readFileSync(config, 'utf8');
const run = (flags: InitFlags, terminal = new FakeTerminal()) =>
  init(new OperatedSystem().context(terminal), { config, upgrade: true, ...flags });
/** The saved file as it must become: one line more, and nothing else. */
const upgraded = () => readFileSync(SAVED, 'utf8').replace(/("\$schema": .*\n)/, `$1${LINE}`);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'latchkey-upgrade-'));
  config = join(dir, 'latchkey.json');
  copyFileSync(SAVED, config);
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('latchkey init --upgrade', () => {
  it('shows the change as a diff, asks, and changes nothing else', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: [true] });

    expect(await run({}, terminal)).toBe(0);

    expect(text()).toBe(upgraded());
    expect(terminal.said).toEqual([
      `--- ${config}`,
      `+++ ${config}`,
      '@@ -1,5 +1,6 @@',
      ' {',
      '   "$schema": "./latchkey.schema.json",',
      '+  "version": 1,',
      '   "local": true,',
      '   "endpoints": {',
      '     "staging": {',
    ]);
    expect(terminal.results[0]).toMatchObject({
      document: { file: config, from: 0, to: 1, written: [config] },
      text: `✓ Wrote ${config}: version 0 → 1`,
    });
    expect(readdirSync(dir)).toEqual(['latchkey.json']);
  });

  it('leaves the file as it is if the person declines or interrupts', async () => {
    const before = text();

    expect(await run({}, new FakeTerminal({ isInteractive: true, answers: [false] }))).toBe(1);
    const failure = await failureOf(run({}, new FakeTerminal({ isInteractive: true })));

    expect(failure).toMatchObject({ exitCode: 130 });
    expect(text()).toBe(before);
    expect(readdirSync(dir)).toEqual(['latchkey.json']);
  });

  it('writes nothing after a Ctrl-C that comes without a prompt', async () => {
    const terminal = new FakeTerminal();
    terminal.interrupt();

    expect(await failureOf(run({ yes: true }, terminal))).toMatchObject({ exitCode: 130 });

    expect(text()).not.toContain('version');
  });

  it('shows the change with --dry-run, and the command that writes it', async () => {
    const terminal = new FakeTerminal();

    expect(await run({ dryRun: true }, terminal)).toBe(0);

    const { document, text: shown } = terminal.results[0]!;
    expect(document).toMatchObject({ written: [], next: [`latchkey init --upgrade --config ${config}`] });
    expect(shown).toContain('\n+  "version": 1,\n');
    expect(text()).not.toContain('version');
    expect(await run({ yes: true })).toBe(0);
    expect(text()).toBe(upgraded());
  });

  it('has nothing to do the second time', async () => {
    await run({ yes: true });
    const { mtimeMs } = statSync(config);
    const terminal = new FakeTerminal();

    expect(await run({}, terminal)).toBe(0);

    expect(terminal.results[0]!.text).toBe(`✓ ${config} has the newest form, version 1: nothing to do`);
    expect(statSync(config).mtimeMs).toBe(mtimeMs);
  });

  it('refuses to write in a script without --yes', async () => {
    expect(await failureOf(run({}))).toMatchObject({
      exitCode: 2,
      message: '--upgrade: found nobody to ask; allowed: --yes to write the change, --dry-run to see it',
    });
  });

  it.each<[InitFlags, string]>([
    [{ add: true }, '--add: found a value with --upgrade'],
    [{ tenants: ['one'] }, '--tenants: found a value with --upgrade'],
    [{ upgrade: false, dryRun: true }, '--dry-run: found it without --upgrade'],
    [{ config: 'missing.json' }, '--upgrade: found no missing.json'],
  ])('refuses %j', async (flags, message) => {
    expect((await failureOf(run(flags))).message).toContain(message);
  });

  it.each([
    ['an invalid file', '{"version": 0, "local": 3}', 'local: found 3'],
    ['no JSON', '{"version": 0,}', 'not valid JSON'],
    [
      'a newer file',
      '{"version": 7}',
      'version: found 7; allowed: a whole number from 0 to 1. A newer Latchkey',
    ],
  ])('leaves %s as it is', async (_, content, message) => {
    writeFileSync(config, content);

    const failure = await failureOf(run({ yes: true }));

    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) as string });
    expect(text()).toBe(content);
  });

  it('keeps a symbolic link and the permissions', async () => {
    const link = join(dir, 'link.json');
    symlinkSync(config, link);
    // The group may write, whatever the umask is.
    chmodSync(config, 0o660);

    await run({ config: link, yes: true });

    expect(text()).toBe(upgraded());
    expect(statSync(config).mode & 0o777).toBe(0o660);
  });

  it('brings the schema for editors up to date', async () => {
    const schema = join(dir, 'latchkey.schema.json');
    writeFileSync(schema, '{"title": "Latchkey configuration", "properties": {}}');
    const terminal = new FakeTerminal({ isInteractive: true, answers: [true] });

    await run({}, terminal);

    expect(readFileSync(schema, 'utf8')).toBe(configurationJsonSchema());
    expect(terminal.said.at(-1)).toContain('latchkey.schema.json: for your editor');
    writeFileSync(schema, JSON.stringify(JSON.parse(configurationJsonSchema())));
    expect(await run({}, new FakeTerminal())).toBe(0);
  });

  it('leaves a schema of somebody else alone', async () => {
    const schema = join(dir, 'latchkey.schema.json');
    writeFileSync(schema, '{"title": "Other"}');

    await run({ yes: true });

    expect(readFileSync(schema, 'utf8')).toBe('{"title": "Other"}');
  });

  it('leaves a read-only file as it is, and the schema beside it', async () => {
    const schema = join(dir, 'latchkey.schema.json');
    const older = '{"title": "Latchkey configuration", "properties": {}}';
    writeFileSync(schema, older);
    chmodSync(config, 0o444);

    const failure = await failureOf(run({ yes: true }));

    expect(failure.message).toBe(`${config} cannot be written (EACCES)`);
    expect([text(), readFileSync(schema, 'utf8')]).toEqual([readFileSync(SAVED, 'utf8'), older]);
  });

  it('says why it cannot write', async () => {
    writeFileSync(`${config}.lock`, '1 another-host\n');

    expect(await failureOf(run({ yes: true }))).toMatchObject({ code: 'changed_meanwhile' });
    expect(text()).not.toContain('version');
  });
});

it('migrates fields where they are, and keeps the formatting of the others', () => {
  const before = '{\n\t"former": {"a": [1, 2]},\n\t"kept":   1.0\n}\n';
  const renaming = ({ former, ...rest }: Record<string, unknown>) => ({ latter: former, ...rest });

  expect(upgradedText(before, [(value) => value, renaming])).toEqual({
    text: '{\n\t"version": 2,\n\t"latter": {\n\t\t"a": [\n\t\t\t1,\n\t\t\t2\n\t\t]\n\t},\n\t"kept":   1.0\n}\n',
    from: 0,
    to: 2,
  });
});

describe('another command with an older file', () => {
  const open = (said: string[], given: string | undefined) =>
    openConfiguredSystem({
      config: given,
      profile: undefined,
      workingDir: dir,
      interrupted: new AbortController().signal,
      say: (line) => said.push(line),
    });

  it('says once how to upgrade it, and goes on', async () => {
    const said: string[] = [];
    const local = JSON.parse(text()) as object;
    writeFileSync(
      config,
      JSON.stringify({ ...local, local: false }).replaceAll(
        /https:\/\/127.0.0.1:\d+\//g,
        'https://a.example/',
      ),
    );

    const { deployments } = open(said, config);

    expect(deployments).not.toEqual([]);
    const [note, ...others] = said;
    expect(others).toEqual([]);
    const command = /^! \S+ has the form of version 0; the newest is 1\. To upgrade it: latchkey (.+)$/.exec(
      note!,
    )![1]!;
    expect(command).toBe(`init --upgrade --config ${config}`);
    await run({ config: command.split(' ').at(-1)!, yes: true });
    expect(open([], config).deployments).toHaveLength(deployments.length);
  });

  it('says nothing about the newest form', async () => {
    const said: string[] = [];
    const local = JSON.parse(text()) as object;
    writeFileSync(config, JSON.stringify({ ...local, version: 1 }));

    expect(() => open(said, config)).toThrow('true in the configuration');
    expect(said).toEqual([]);
  });
});
