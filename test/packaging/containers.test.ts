import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { loadConfiguration } from '../../lib/options/load';
import { freePort } from '../../laptop/sandbox-process';
import { installPackage } from '../support/installed-package';
import { synthesize } from '../support/lib/synthesis';
import { newFolder } from '../support/new-folder';
import { requireInstalled } from '../support/require-installed';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, 'tools/containers');
const files = readdirSync(FOLDER);
jest.setTimeout(180_000);

const { validate } = requireInstalled('test/packaging')('dockerfile-utils') as {
  validate: (text: string) => { message: string; range: { start: { line: number } } }[];
};

const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

/** What is wrong with a container file: messages with their lines. */
const faultsOf = (text: string) =>
  validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);

/** The arguments of an instruction of the image that is built; of the last one, which is in force. */
function inForce(text: string, instruction: string): string {
  const stage = text
    .replaceAll('\\\n', '')
    .split(/^FROM /m)
    .at(-1)!;
  const [, args] = [...stage.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].at(-1)!;
  return args!;
}

/** A command in exec form. @throws {SyntaxError} if it is in shell form, in which no signal would reach it */
const execForm = (args: string) => JSON.parse(args) as string[];

describe('the container files', () => {
  it.each(files)('%s has no fault that a linter finds', (file) => {
    expect(faultsOf(textOf(file))).toEqual([]);
  });

  it('would be found with an unknown flag', () => {
    expect(faultsOf('FROM node:24-slim\nHEALTHCHECK --every=5s CMD ["true"]\n')).toEqual([
      expect.stringMatching(/^line 2: /),
    ]);
  });

  it.each(files)('%s runs as a user that is not root', (file) => {
    expect(inForce(textOf(file), 'USER')).toBe('node');
  });
});

it.each(['sandbox.Dockerfile', 'laptop.Dockerfile'])(
  'the program of %s is healthy from when it serves until a signal ends it',
  async (file) => {
    const folder = newFolder();
    installPackage(folder, []);
    const { assembly } = synthesize(loadConfiguration(join(ROOT, 'config/example.json')));
    const places = {
      '/run/latchkey': folder,
      8443: String(await freePort()),
      '/assembly': assembly.directory,
    };
    const text = Object.entries(places).reduce((all, [from, to]) => all.replaceAll(from, to), textOf(file));
    const env = {
      PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
      HOME: folder,
      LATCHKEY_STATE_DIR: join(folder, 'state'),
    };
    const [check, ...checkArgs] = execForm(inForce(text, 'HEALTHCHECK').replace(/^.* CMD /, ''));
    const health = () => spawnSync(check!, checkArgs, { cwd: folder, env }).status;
    const [command, ...args] = execForm(inForce(text, 'CMD'));
    const before = health();

    const program = spawn(command!, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(program, 'exit');
    for await (const line of createInterface({ input: program.stdout })) if (line.startsWith('ready')) break;
    const serving = health();
    program.kill('SIGTERM');

    expect(await ended).toEqual([0, null]);
    expect({ before, serving, after: health() }).toEqual({ before: 1, serving: 0, after: 1 });
  },
);
