import { CANDIDATE_LABEL } from '../../../contract/credential-labels';
import { ROTATION_STEPS, type RotationStep } from '../../../contract/rotation';
import { type CredentialKind } from '../../../contract/secret-names';
import { findCanaries, type VisibleText } from '../../support/canaries';
import { type VersionState } from '../../support/lambdas/in-memory-credential-versions';
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

/** rotate-credentials, its platform, and one secret with a value that works: the same wherever a row runs. */
export abstract class RotationWorld {
  abstract readonly platform: CredentialPlatform;
  readonly kind: CredentialKind;
  /** The value that is current when the row begins. */
  abstract readonly old: string;
  #runs = 0;
  #staged = 0;

  constructor({ kind }: RotationSituation) {
    this.kind = kind;
  }

  /** Adds a version, whoever does it. */
  abstract put(versionId: string, value: string | undefined, label: string): void;
  /** Moves a label by hand; undefined takes it off. */
  abstract move(label: string, to: string | undefined): void;
  abstract versions(): VersionState[];
  /** Takes AWSPENDING off a version by compare-and-set, as the command repairs it. */
  abstract clearPending(versionId: string): Promise<string>;
  /** The code that a step fails with, or `done`. */
  abstract step(step: RotationStep, runId: string): Promise<string>;
  abstract metrics(): Readonly<Record<string, number>>;
  /** Everything that somebody may see. */
  abstract visible(): readonly VisibleText[];

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
