import {
  addPendingVersion,
  addVersion,
  AwsError,
  holderOf,
  moveLabel,
  type Secret,
  unfinishedVersion,
} from 'cdk-on-loopback/testing';

/** How rotate-credentials judges a value. `silent`: the function crashes without an outcome. */
export type Verdict = 'proven' | 'refused' | 'untested' | 'silent';

const OUTCOMES = { proven: 'LATCHKEY_PROVEN', refused: 'LATCHKEY_REFUSED', untested: 'LATCHKEY_UNTESTED' };

/**
 * A secret with a rotation function that behaves like ours, one step at a time.
 * @see API_RotateSecret
 */
export class RotatingSecret {
  verdict: (value: string) => Verdict = () => 'proven';
  readonly secret: Secret;
  readonly #nowMs: () => number;
  /** The remaining steps of the running rotation. */
  #steps: (() => boolean)[] = [];

  constructor(secret: Secret, nowMs: () => number) {
    this.secret = secret;
    secret.rotation = { lambdaArn: 'arn:rotate-credentials', rules: {}, isEnabled: true };
    this.#nowMs = nowMs;
  }

  holder(label: string): string | undefined {
    return holderOf(this.secret, label)?.versionId;
  }

  valueWith(label: string): unknown {
    const value = holderOf(this.secret, label)?.secretString;
    return value === undefined ? undefined : (JSON.parse(value) as unknown);
  }

  /** Every label with its version, in a fixed order. */
  labels(): Record<string, string> {
    const all = [...this.secret.versions].flatMap(([id, { stages }]) =>
      [...stages].map((label) => [label, id]),
    );
    return Object.fromEntries(all.sort(([a], [b]) => (a! < b! ? -1 : 1))) as Record<string, string>;
  }

  /** @param ageMs how long ago it was created */
  add(versionId: string, value: string | undefined, labels: readonly string[], ageMs = 0): void {
    const isFirst = this.secret.versions.size === 0;
    const version = addVersion(this.secret, versionId, this.#nowMs() - ageMs);
    if (value !== undefined) version.secretString = value;
    for (const label of isFirst && value !== undefined ? [...labels, 'AWSCURRENT'] : labels) {
      this.move(label, versionId);
    }
  }

  move(label: string, to: string | undefined): void {
    if (to === undefined) holderOf(this.secret, label)?.stages.delete(label);
    else moveLabel(this.secret, label, this.secret.versions.get(to)!);
  }

  /** Retries an earlier rotation that has not ended. @throws {AwsError} InvalidRequestException */
  rotate(versionId: string): void {
    const unfinished = unfinishedVersion(this.secret);
    if (unfinished !== undefined && this.#steps.length === 0) {
      this.#steps = this.#stepsOf(unfinished.versionId);
    }
    if (unfinished !== undefined || this.secret.rotation === undefined) {
      throw new AwsError('InvalidRequestException', "A previous rotation isn't complete, or there is none.");
    }
    addPendingVersion(this.secret, versionId, this.#nowMs());
    this.#steps = this.#stepsOf(versionId);
  }

  /** Runs one step of the rotation. */
  advance(): void {
    const step = this.#steps.shift();
    if (step?.() === false) this.#steps = [];
  }

  #stepsOf(versionId: string): (() => boolean)[] {
    const version = this.secret.versions.get(versionId)!;
    const candidate = () => holderOf(this.secret, 'LATCHKEY_CANDIDATE');
    const isCandidate = (value: string | undefined) =>
      candidate() !== undefined && candidate()?.secretString === value;
    const create = () => {
      if (!version.stages.has('AWSPENDING')) return false;
      const staged = candidate()?.secretString;
      const isCurrent = isCandidate(holderOf(this.secret, 'AWSCURRENT')?.secretString);
      if (isCurrent) this.move('LATCHKEY_CANDIDATE', this.holder('AWSCURRENT'));
      if (staged === undefined || isCurrent || (version.secretString ?? staged) !== staged) {
        this.move('AWSPENDING', undefined);
        return false;
      }
      version.secretString = staged;
      return true;
    };
    const test = () => {
      const verdict = this.verdict(version.secretString!);
      if (verdict === 'silent') return false;
      this.move(OUTCOMES[verdict], versionId);
      return verdict === 'proven';
    };
    const promote = () => {
      this.move('AWSCURRENT', versionId);
      return true;
    };
    const finish = () => {
      this.move('LATCHKEY_PROVEN', undefined);
      if (isCandidate(version.secretString)) this.move('LATCHKEY_CANDIDATE', undefined);
      return true;
    };
    return [create, test, promote, finish];
  }
}
