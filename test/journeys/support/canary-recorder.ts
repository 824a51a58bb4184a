import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Canary, type VisibleText } from '../../support/canaries';
import { type HttpsAnswer } from '../../support/restore-api/https-request';
import { type CommandOptions, latchkey } from './command';
import { type Place, type RestoreCall } from './place';
import { RunningSystem } from './running-system';
import { ExposureWatch } from './visible-texts';

/** Not a real credential: a value put where it must be visible, as a deliberate leak. */
export const LEAK = `${randomBytes(9).toString('base64url')}"/ü+& =`;

/** The characters that a canary may have where it is planted. */
export type Alphabet = 'any' | 'ascii' | 'token';

const SPECIAL: Record<Alphabet, string> = { any: '"/ü+& =\\.', ascii: '"/+& =\\.', token: '~/+.==' };

/**
 * Plants canaries in a running system and in commands, and records their answers and what is visible meanwhile. Each step fails
 * unless it ends as expected, since a canary that is not used proves nothing.
 */
export class CanaryRecorder {
  readonly system: RunningSystem;
  /** Values that must not be visible anywhere. */
  readonly canaries: Canary[] = [];
  /** Answers to callers, results of functions, and outputs of commands. */
  readonly answers: VisibleText[] = [];
  /** For temporary files, as home, and as working folder of commands. */
  readonly folder: string;
  /** For what is visible only briefly: arguments and environments of processes, and files of commands. */
  readonly watch: ExposureWatch;

  private constructor(system: RunningSystem, folder: string) {
    this.system = system;
    this.folder = folder;
    this.watch = new ExposureWatch(folder);
  }

  static async start(): Promise<CanaryRecorder> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-exposure-'));
    for (const name of ['work', 'temporary', 'home']) mkdirSync(join(folder, name));
    // Faults given on the command line are printed.
    const fault = JSON.stringify({ target: 'tenants', body: LEAK });
    const system = await RunningSystem.start(['--verbose', '--fault', fault], { LEAK });
    await system.control('DELETE', '/faults');
    return new CanaryRecorder(system, folder);
  }

  async stop(): Promise<void> {
    this.watch.stop();
    await this.system.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Adds a real secret to the canaries. */
  add(name: string, value: string): void {
    this.canaries.push({ name, value });
  }

  /** Creates a credential that was never issued. */
  plant(name: string, alphabet: Alphabet = 'any'): string {
    const value = `${randomBytes(18).toString('base64url')}${SPECIAL[alphabet]}`;
    this.add(name, value);
    return value;
  }

  async restore(name: string, status: number, place: Place, id: string, call: RestoreCall): Promise<void> {
    this.answered(name, status, await place.restore(id, call));
  }

  answered(name: string, expected: number, { status, headers, text }: HttpsAnswer): void {
    const place = `answer to ${name}`;
    expect({ place, status }).toEqual({ place, status: expected });
    this.answers.push({ place, text: `${Object.entries(headers).join('\n')}\n${text}` });
  }

  /** @param expected `ok`, or the error's code */
  async ensure(name: string, expected: string, place: Place, more: object): Promise<void> {
    const answer = await place.ensure('api/write', more);
    expect([name, answer.ok ? 'ok' : answer.error.code]).toEqual([name, expected]);
    this.answers.push({ place: `answer to ${name}`, text: JSON.stringify(answer) });
  }

  /** Runs a command and records its output. */
  async run(name: string, expected: number, args: string[], options: CommandOptions = {}): Promise<void> {
    const env = { TMPDIR: join(this.folder, 'temporary'), HOME: join(this.folder, 'home') };
    const workingDir = join(this.folder, 'work');
    const { exitCode, stdout, stderr } = await latchkey(this.system, args, { ...options, env, workingDir });
    expect([name, exitCode]).toEqual([name, expected]);
    this.answers.push({ place: `output of ${name}`, text: `${stdout}\n${stderr}` });
  }
}
