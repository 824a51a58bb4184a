import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Canary, type VisibleText } from '../../support/canaries';
import { type CommandOptions, latchkey } from './command';
import { ExposureWatch } from './exposure-watch';
import { type HttpsAnswer } from '../../support/restore-api/https-request';
import { ensure, type Place, placeOf } from './journeys';
import { callRestore, type RestoreCall } from './restore-calls';
import { RunningSystem } from './running-system';

/** Not a real credential: a value put where it must be visible, as a deliberate leak. */
export const LEAK = `${randomBytes(9).toString('base64url')}"/ü+& =`;

/** The characters that a canary may have where it is planted. */
export type Alphabet = 'any' | 'ascii' | 'token';

const SPECIAL: Record<Alphabet, string> = { any: '"/ü+& =\\.', ascii: '"/+& =\\.', token: '~/+.==' };

/** Plants canaries in a running system and in commands, and records their answers and what is visible meanwhile. */
export class CanaryRecorder {
  readonly system: RunningSystem;
  /** Values that must not be visible anywhere. */
  readonly canaries: Canary[] = [];
  /** Answers to callers, results of functions, and outputs of commands. */
  readonly answers: VisibleText[] = [];
  /** The status, code or exit code of each step, which shows that the scenario ran. */
  readonly outcomes: Record<string, number | string> = {};
  /** For temporary files, as home, and as working folder of commands. */
  readonly folder: string;
  readonly #watch: ExposureWatch;

  private constructor(system: RunningSystem, folder: string) {
    this.system = system;
    this.folder = folder;
    this.#watch = new ExposureWatch(folder);
  }

  static async start(): Promise<CanaryRecorder> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-exposure-'));
    for (const name of ['work', 'temporary', 'home']) mkdirSync(join(folder, name));
    // Faults given on the command line are printed.
    const fault = JSON.stringify({ target: 'tenants', body: LEAK });
    const system = await RunningSystem.startAsUsersDo(['--verbose', '--fault', fault], { LEAK });
    await system.control('DELETE', '/faults');
    return new CanaryRecorder(system, folder);
  }

  async stop(): Promise<void> {
    this.#watch.stop();
    await this.system.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  placeIn(environment = 'staging', platformRegion = 'global', tenant = 0): Place {
    return placeOf(this.system, environment, platformRegion, tenant);
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

  async call(name: string, place: Place, contentId: string, call: RestoreCall): Promise<void> {
    this.answered(name, await callRestore(place, contentId, call));
  }

  async ensure(name: string, place: Place, more: object): Promise<void> {
    const answer = await ensure(place, 'api/write', more);
    this.outcomes[name] = answer.ok ? 'ok' : answer.error.code;
    this.answers.push({ place: `answer to ${name}`, text: JSON.stringify(answer) });
  }

  answered(name: string, { status, headers, text }: HttpsAnswer): void {
    this.outcomes[name] = status;
    this.answers.push({
      place: `answer to ${name}`,
      text: `${Object.entries(headers).join('\n')}\n${text}`,
    });
  }

  /** Runs a command and records its output. */
  async run(name: string, args: readonly string[], options: CommandOptions = {}): Promise<void> {
    const env = { TMPDIR: join(this.folder, 'temporary'), HOME: join(this.folder, 'home') };
    const workingDir = join(this.folder, 'work');
    const { exitCode, stdout, stderr } = await latchkey(this.system, args, { ...options, env, workingDir });
    this.outcomes[name] = exitCode ?? 'killed';
    this.answers.push({ place: `output of ${name}`, text: `${stdout}\n${stderr}` });
  }

  /** What was visible only briefly so far: arguments and environments of processes, and files of commands. */
  seen(): VisibleText[] {
    return this.#watch.stop();
  }
}
