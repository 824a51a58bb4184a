import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { PROJECT_ROOT } from './local-process';
import { descendants } from './processes';
import { type RunningSystem } from './running-system';

/** The command's entry in a checkout. */
const COMMAND = join(PROJECT_ROOT, 'bin/latchkey.cjs');

/** What one run of the command gets besides its arguments. */
export interface CommandOptions {
  /**
   * Standard input, not a terminal: a text, or an object as JSON.
   * @default empty
   */
  input?: string | object;
  /** Environment variables to add or replace. */
  env?: Record<string, string>;
  /** Runs at a terminal and types each answer once its question is on the screen. */
  answers?: readonly Answer[];
  /** A signal to send once standard error or the screen matches, after the last answer. */
  signal?: { after: RegExp; name: 'SIGINT' | 'SIGKILL' };
  /** @default the project root */
  workingDir?: string;
  /**
   * The program to run.
   * @default the command
   */
  program?: string;
}

/** Typed as it is; to press Enter, end it with `\r`. */
export interface Answer {
  after: RegExp;
  type: string;
}

export interface CommandResult {
  exitCode: number | null;
  /** At a terminal: everything on the screen, without the control codes for color and position. */
  stdout: string;
  stderr: string;
}

/** No ordinary command takes longer. */
const LIMIT_MS = 60_000;

const TERMINAL_CODES = new RegExp(`${String.fromCharCode(27)}(?:\\[[0-9;?]*[ -/]*[@-~]|[()][A-B0-2])`, 'g');

/** Runs `latchkey … --local` on a running system, as its users do. */
export function latchkey(
  system: RunningSystem,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return runLatchkey([...args, '--local', '--state-dir', system.process.stateDir], options);
}

/** Runs `latchkey` with exactly these arguments. */
export async function runLatchkey(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { input = '', answers, env, workingDir = PROJECT_ROOT, program: file = COMMAND } = options;
  const command = [process.execPath, file, ...args];
  const [program = '', ...rest] = answers === undefined ? command : atTerminal(command);
  const child = spawn(program, rest, {
    cwd: workingDir,
    // Commands in the output are for a shell that has the command.
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, npm_lifecycle_event: undefined, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  // A command that fails at once closes its input.
  child.stdin.on('error', () => undefined);
  if (answers === undefined) child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));

  const seen = { stdout: '', stderr: '' };
  const act = actsOf(child, options);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      seen[name] += chunk;
      act(plain(answers === undefined ? seen.stderr : seen.stdout));
    });
  }
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, stdout: plain(seen.stdout), stderr: plain(seen.stderr) };
}

/** The single document that a command prints with `--json`. */
export function documentOf<T>({ stdout, stderr }: CommandResult): T {
  const lines = stdout.split('\n');
  if (lines.length !== 2 || lines[1] !== '') {
    throw new Error(`not one line on standard output: ${stdout}\n${stderr}`);
  }
  return JSON.parse(lines[0]!) as T;
}

/**
 * Runs the command in a terminal of its own, with input from this process's pipe.
 * @see script(1) of util-linux
 */
function atTerminal(command: readonly string[]): string[] {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // A new terminal has no size, which leaves questions no room, and echoes input until a program turns that off.
  const shell = `stty columns 200 rows 50 echo; exec ${quoted}`;
  return ['script', '--quiet', '--return', '--echo', 'never', '--command', shell, '/dev/null'];
}

/** Takes the next action as soon as the text since the last one matches. */
function actsOf(child: ChildProcess, { answers = [], signal }: CommandOptions): (text: string) => void {
  const waiting = answers.map(({ after, type }) => ({ after, act: () => void child.stdin!.write(type) }));
  if (signal) waiting.push({ ...signal, act: () => void process.kill(commandOf(child), signal.name) });
  let from = 0;
  return (text) => {
    const match = waiting[0]?.after.exec(text.slice(from));
    if (match === undefined || match === null) return;
    from += match.index + match[0].length;
    waiting.shift()!.act();
  };
}

/** At a terminal the started process is `script`, and the command is its child. */
function commandOf({ pid, spawnfile }: ChildProcess): number {
  return spawnfile === 'script' ? descendants(pid!)[0]! : pid!;
}

function plain(text: string): string {
  return text.replaceAll(TERMINAL_CODES, '').replaceAll('\r\n', '\n');
}
