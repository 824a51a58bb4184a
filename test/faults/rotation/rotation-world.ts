import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { ROTATION_STEPS, type RotationStep } from '../../../core/rotation/rotation';
import { type CredentialKind } from '../../../core/secrets/secret-names';
import { findCanaries, type VisibleText } from '../../support/canaries';
import { type CredentialVersions } from '../../../lambdas/shared/ports';
import { moveLabel, type Secret } from 'cdk-on-loopback/testing';
import { type CredentialPlatform } from './credential-platform';

export const TENANT_ID = 'eu-west-2_Acme';
/** Version ids of the minimum length that Secrets Manager accepts. */
const OLD_VERSION = 'version-that-was-current-before-00';

/** The situation in which a row of rotations begins. */
export interface RotationSituation {
  kind: CredentialKind;
  /**
   * The prefix of the deployment's names. Over the wire only.
   * @default the usual one
   */
  prefix?: string;
}

/** A version with its labels. */
export interface VersionState {
  versionId: string;
  labels: string[];
  value: string | undefined;
}

/** rotate-credentials, its platform and one secret with a working value, for virtual and wire runs alike. */
export abstract class RotationWorld {
  readonly platform: CredentialPlatform;
  readonly kind: CredentialKind;
  readonly secret: Secret;
  /** The current value when the row begins. */
  readonly old: string;
  /** The function's access to versions of secrets. */
  abstract readonly versionsPort: CredentialVersions;
  /** Whether AWSPENDING stays on the version that a rotation made current. AWS may do either. */
  keepsPending = false;
  #runs = 0;
  #staged = 0;

  constructor({ kind }: RotationSituation, platform: CredentialPlatform, secret: Secret) {
    this.kind = kind;
    this.platform = platform;
    this.secret = secret;
    this.old = platform.issueValue(kind);
    this.put(OLD_VERSION, this.old, 'AWSCURRENT');
  }

  /**
   * Runs a step.
   * @returns its error code, or `done`
   */
  abstract step(step: RotationStep, runId: string): Promise<string>;
  abstract metrics(): Readonly<Record<string, number>>;
  /** Everything visible. */
  abstract visible(): readonly VisibleText[];

  /** Adds a version from outside the rotation. */
  put(versionId: string, value: string | undefined, ...labels: string[]): void {
    const version = { versionId, secretString: value, stages: new Set<string>(), createdAtMs: Date.now() };
    this.secret.versions.set(versionId, version);
    for (const label of labels) moveLabel(this.secret, label, version);
  }

  /** Moves a label by hand; undefined removes it. */
  move(label: string, to: string | undefined): void {
    if (to !== undefined) return moveLabel(this.secret, label, this.secret.versions.get(to)!);
    for (const { stages } of this.secret.versions.values()) stages.delete(label);
  }

  versions(): VersionState[] {
    return [...this.secret.versions.values()].map(({ versionId, stages, secretString }) => ({
      versionId,
      labels: [...stages],
      value: secretString,
    }));
  }

  /** Stages a new credential. */
  stage(value: string): string {
    const versionId = `version-that-an-operator-staged-${(this.#staged += 1)}`;
    this.put(versionId, value, CANDIDATE_LABEL);
    return versionId;
  }

  /** Starts a rotation as RotateSecret does: an unfinished one is resumed. */
  begin(): string {
    const pending = this.holderOf('AWSPENDING');
    if (pending !== undefined && pending !== this.holderOf('AWSCURRENT')) return pending;
    const runId = `version-of-the-rotation-number-${(this.#runs += 1)}`;
    this.put(runId, undefined, 'AWSPENDING');
    return runId;
  }

  /** Runs steps until one fails. After the last one, AWSPENDING is removed, unless it is kept. */
  async run(runId: string): Promise<string> {
    for (const step of ROTATION_STEPS) {
      const outcome = await this.step(step, runId);
      if (outcome !== 'done') return outcome;
    }
    if (!this.keepsPending) this.move('AWSPENDING', undefined);
    return 'done';
  }

  holderOf(label: string): string | undefined {
    return this.versions().find(({ labels }) => labels.includes(label))?.versionId;
  }

  valueAt(label: string): string | undefined {
    return this.versions().find(({ labels }) => labels.includes(label))?.value;
  }

  /**
   * Checks what every row must satisfy (common set A) for a credential: one current, working value, and no
   * visible secret.
   */
  expectSound(): void {
    expect(this.versions().filter(({ labels }) => labels.includes('AWSCURRENT'))).toHaveLength(1);
    expect(this.platform.accepts(this.kind, this.valueAt('AWSCURRENT'))).toBe(true);
    expect(findCanaries(this.platform.canaries, this.visible())).toEqual([]);
  }
}
