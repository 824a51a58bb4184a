import { randomBytes } from 'node:crypto';

import { type Canary, type VisibleText } from '../../support/canaries';
import { type HttpsAnswer } from './https-request';
import { ensure, type Place } from './journeys';
import { callRestore, type RestoreCall } from './restore-calls';
import { type RunningSystem } from './running-system';

/** The characters that a canary may have where it is planted. */
export type Alphabet = 'any' | 'ascii' | 'token';

const SPECIAL: Record<Alphabet, string> = { any: '"/ü+& =\\.', ascii: '"/+& =\\.', token: '~/+.==' };

/** Plants canaries in a running system, and records its answers. */
export class CanaryRecorder {
  readonly system: RunningSystem;
  /** Values that must not be visible anywhere. */
  readonly canaries: Canary[] = [];
  /** Answers to callers, and results of functions. */
  readonly answers: VisibleText[] = [];
  /** The status or code of each step, which shows that the scenario ran. */
  readonly outcomes: Record<string, number | string> = {};

  constructor(system: RunningSystem) {
    this.system = system;
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
}
