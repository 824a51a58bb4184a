import { CANDIDATE_LABEL } from '../../../contract/credential-labels';
import { ROTATION_STEPS, type RotationStep } from '../../../contract/rotation';
import { type CredentialKind } from '../../../contract/secret-names';
import { findCanaries, type VisibleText } from '../../support/canaries';
import { type CredentialVersions } from '../../../lambdas/shared/ports';
import { type Secret } from '../../../local/account';
import { moveLabel } from '../../../local/aws/secrets-manager/labels';
import { type Draw } from '../support/draw';
import { type CredentialPlatform } from './credential-platform';

export const TENANT_ID = 'eu-west-2_Acme';
/** Ids as long as Secrets Manager wants them. */
export const OLD_VERSION = 'version-that-was-current-before-00';

/** What a row of rotations starts from, as far as the seed chooses it. */
export interface RotationSituation {
  kind: CredentialKind;
}

export function drawKind(draw: Draw): RotationSituation {
  return { kind: draw.oneOf(['client-credentials', 'api-key']) };
}

/** One version and what is attached to it. */
export interface VersionState {
  versionId: string;
  labels: string[];
  value: string | undefined;
}

/** rotate-credentials, its platform, and one secret with a value that works: the same wherever a row runs. */
export abstract class RotationWorld {
  readonly platform: CredentialPlatform;
  readonly kind: CredentialKind;
  readonly secret: Secret;
  /** The value that is current when the row begins. */
  readonly old: string;
  /** The function's way to the versions of secrets. */
  abstract readonly versionsPort: CredentialVersions;
  #runs = 0;
  #staged = 0;

  constructor({ kind }: RotationSituation, platform: CredentialPlatform, secret: Secret) {
    this.kind = kind;
    this.platform = platform;
    this.secret = secret;
    this.old = platform.issueValue(kind);
    this.put(OLD_VERSION, this.old, 'AWSCURRENT');
  }

  /** The code that a step fails with, or `done`. */
  abstract step(step: RotationStep, runId: string): Promise<string>;
  abstract metrics(): Readonly<Record<string, number>>;
  /** Everything that somebody may see. */
  abstract visible(): readonly VisibleText[];

  /** Adds a version as a writer outside of the rotation does. */
  put(versionId: string, value: string | undefined, ...labels: string[]): void {
    const version = { versionId, secretString: value, stages: new Set<string>(), createdAtMs: Date.now() };
    this.secret.versions.set(versionId, version);
    for (const label of labels) moveLabel(this.secret, label, version);
  }

  /** Moves a label by hand; undefined takes it off. */
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

  /** Takes AWSPENDING off a version by compare-and-set, as the command repairs it. */
  clearPending(versionId: string): Promise<string> {
    const move = { label: 'AWSPENDING', from: versionId, to: undefined };
    return this.versionsPort.moveLabel(this.secret.arn, move);
  }

  /** Stages a new credential. */
  stage(value: string): string {
    const versionId = `version-that-an-operator-staged-${(this.#staged += 1)}`;
    this.put(versionId, value, CANDIDATE_LABEL);
    return versionId;
  }

  /** What RotateSecret does: a run that is not finished is taken up again. */
  begin(): string {
    const pending = this.holderOf('AWSPENDING');
    if (pending !== undefined && pending !== this.holderOf('AWSCURRENT')) return pending;
    const runId = `version-of-the-rotation-number-${(this.#runs += 1)}`;
    this.put(runId, undefined, 'AWSPENDING');
    return runId;
  }

  /** All steps until one fails; AWSPENDING goes once all are done. */
  async run(runId: string): Promise<string> {
    for (const step of ROTATION_STEPS) {
      const outcome = await this.step(step, runId);
      if (outcome !== 'done') return outcome;
    }
    this.move('AWSPENDING', undefined);
    return 'done';
  }

  holderOf(label: string): string | undefined {
    return this.versions().find(({ labels }) => labels.includes(label))?.versionId;
  }

  valueAt(label: string): string | undefined {
    return this.versions().find(({ labels }) => labels.includes(label))?.value;
  }

  /** Common set A of the fault matrix, for a credential: one current value that works, and nothing secret seen. */
  expectSound(): void {
    expect(this.versions().filter(({ labels }) => labels.includes('AWSCURRENT'))).toHaveLength(1);
    expect(this.platform.accepts(this.kind, this.valueAt('AWSCURRENT'))).toBe(true);
    expect(findCanaries(this.platform.canaries, this.visible())).toEqual([]);
  }
}
