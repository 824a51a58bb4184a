/** How rotate-credentials judges a value. `silent`: the function dies of it, without a word. */
export type Verdict = 'proven' | 'refused' | 'untested' | 'silent';

interface Version {
  value: string | undefined;
  createdAtMs: number;
  labels: Set<string>;
}

const OUTCOMES = { proven: 'LATCHKEY_PROVEN', refused: 'LATCHKEY_REFUSED', untested: 'LATCHKEY_UNTESTED' };

/**
 * A secret with AWS's rules for labels and rotations, and with a rotation function that does what ours promises, one
 * step at a time.
 * @see API_UpdateSecretVersionStage, API_RotateSecret
 */
export class RotatingSecret {
  readonly versions = new Map<string, Version>();
  isRotated = true;
  /** Since when it is scheduled for deletion. */
  deletedAt: Date | undefined;
  verdict: (value: string) => Verdict = () => 'proven';
  readonly arn: string;
  readonly #nowMs: () => number;
  /** What is left to do of the rotation that runs. */
  #steps: (() => boolean)[] = [];

  constructor(name: string, nowMs: () => number) {
    this.arn = `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${name}-AbCdEf`;
    this.#nowMs = nowMs;
  }

  holder(label: string): string | undefined {
    return [...this.versions].find(([, { labels }]) => labels.has(label))?.[0];
  }

  valueWith(label: string): unknown {
    const holder = this.holder(label);
    const value = holder === undefined ? undefined : this.versions.get(holder)!.value;
    return value === undefined ? undefined : (JSON.parse(value) as unknown);
  }

  /** Every label of the secret with the version that has it, in a fixed order. */
  labels(): Record<string, string> {
    const all = [...this.versions].flatMap(([id, { labels }]) => [...labels].map((label) => [label, id]));
    return Object.fromEntries(all.sort(([a], [b]) => (a! < b! ? -1 : 1))) as Record<string, string>;
  }

  /** @param ageMs how long ago it was made */
  add(versionId: string, value: string | undefined, labels: readonly string[], ageMs = 0): void {
    const isFirst = this.versions.size === 0;
    this.versions.set(versionId, { value, createdAtMs: this.#nowMs() - ageMs, labels: new Set() });
    for (const label of isFirst && value !== undefined ? [...labels, 'AWSCURRENT'] : labels) {
      this.move(label, versionId);
    }
  }

  move(label: string, to: string | undefined): void {
    const holder = this.holder(label);
    if (holder === to) return;
    if (holder !== undefined) this.versions.get(holder)!.labels.delete(label);
    if (to !== undefined) this.versions.get(to)!.labels.add(label);
    if (label === 'AWSCURRENT' && holder !== undefined) this.move('AWSPREVIOUS', holder);
  }

  compareAndMove(label: string, from: string | undefined, to: string | undefined): boolean {
    if (this.holder(label) !== from) return false;
    this.move(label, to);
    return true;
  }

  /** False where a previous rotation has not ended, which is then attempted again. */
  rotate(versionId: string): boolean {
    const pending = this.holder('AWSPENDING');
    if (pending !== undefined && pending !== this.holder('AWSCURRENT')) {
      if (this.#steps.length === 0) this.#steps = this.#stepsOf(pending);
      return false;
    }
    this.add(versionId, undefined, ['AWSPENDING']);
    this.#steps = this.#stepsOf(versionId);
    return true;
  }

  /** One step of the rotation that runs. */
  advance(): void {
    const step = this.#steps.shift();
    if (step?.() === false) this.#steps = [];
  }

  #stepsOf(versionId: string): (() => boolean)[] {
    const version = this.versions.get(versionId)!;
    const isCandidate = (value: string | undefined) => {
      const candidate = this.holder('LATCHKEY_CANDIDATE');
      return candidate !== undefined && this.versions.get(candidate)!.value === value;
    };
    const create = () => {
      if (!version.labels.has('AWSPENDING')) return false;
      if (version.value !== undefined) return true;
      const candidate = this.holder('LATCHKEY_CANDIDATE');
      if (candidate === undefined) return false;
      const current = this.holder('AWSCURRENT');
      if (current !== undefined && isCandidate(this.versions.get(current)!.value)) {
        this.move('LATCHKEY_CANDIDATE', undefined);
        return false;
      }
      version.value = this.versions.get(candidate)!.value;
      return true;
    };
    const test = () => {
      const verdict = this.verdict(version.value!);
      if (verdict === 'silent') return false;
      this.move(OUTCOMES[verdict], versionId);
      return verdict === 'proven';
    };
    const promote = () => {
      this.move('AWSCURRENT', versionId);
      return true;
    };
    const finish = () => {
      if (isCandidate(version.value)) this.move('LATCHKEY_CANDIDATE', undefined);
      return true;
    };
    return [create, test, promote, finish];
  }
}
