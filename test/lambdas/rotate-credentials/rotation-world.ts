import { inspect } from 'node:util';

import { CANDIDATE_LABEL, KIND_TAG } from '../../../core/secrets/credential-labels';
import { ROTATION_STEPS, type RotationStep } from '../../../core/rotation/rotation';
import { type CredentialKind, credentialSecretName } from '../../../core/secrets/secret-names';
import { portsOver } from '../../../lambdas/rotate-credentials/compose';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { rotate, type RotationPorts } from '../../../lambdas/rotate-credentials/rotate';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
import { type CredentialProof } from '../../../lambdas/shared/ports';
import { moveLabel, type Secret } from 'cdk-on-loopback/testing';
import { clientOf, SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { KillPoints } from '../../support/kill-points';
import { findCanaries, type VisibleText } from '../../support/canaries';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { deploymentOf, KEY, TENANT_ID } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { CredentialPlatform } from '../../support/platform/credential-platform';
import { virtualTransport } from '../../support/platform/virtual-transport';

/** A version id of the minimum length that Secrets Manager accepts. */
const OLD_VERSION = 'version-that-was-current-before-00';
/** The function's timeout less the handler's reserve. */
const STEP_MS = 58_500;
const PLATFORM = {
  contentBaseUrl: 'https://platform.example/api',
  contentTokenBaseUrl: 'https://platform.example/content',
  webhooksTokenBaseUrl: 'https://platform.example/webhooks',
};

/** A version with its labels. */
interface VersionState {
  versionId: string;
  labels: string[];
  value: string | undefined;
}

/** rotate-credentials on virtual time, its platform, and one secret with a working value. */
export class RotationWorld {
  readonly clock = new VirtualClock();
  readonly secretsManager = new SimulatedSecretsManager(this.clock);
  readonly platform = new CredentialPlatform(TENANT_ID, () => this.clock.nowMs());
  readonly log = new RecordingLog();
  readonly deployment = deploymentOf([TENANT_ID], { platform: PLATFORM });
  readonly kind: CredentialKind;
  readonly secret: Secret;
  /** The current value when the row begins. */
  readonly old: string;
  proof: CredentialProof;
  /** A test's wrapper around the ports of the use cases. */
  between = (ports: RotationPorts): RotationPorts => ports;
  /** Whether AWSPENDING stays on the version that a rotation made current. AWS may do either. */
  keepsPending = false;
  #runs = 0;
  #staged = 0;
  readonly #metrics = new CountingMetrics();
  readonly #errors: VisibleText[] = [];
  #process: RotationPorts;

  constructor(kind: CredentialKind) {
    const { clock, log, secretsManager, platform, deployment } = this;
    this.kind = kind;
    this.secret = secretsManager.create(credentialSecretName('latchkey', KEY, kind), { [KIND_TAG]: kind });
    this.old = platform.issueValue(kind);
    this.put(OLD_VERSION, this.old, 'AWSCURRENT');
    this.#process = portsOver({
      deployment,
      secretsManager: clientOf((command) => secretsManager.send(command)),
      sendRequest: virtualTransport(platform, clock),
      clock,
      random: () => 0.5,
      log,
      metrics: this.#metrics,
    });
    this.proof = this.#process.proof;
  }

  /**
   * Does something in a process that is killed before or after one of its calls, unless `moment` is 0. A killed process forgets
   * which runs it counted.
   */
  async killedAt<Outcome>(moment: number, work: () => Promise<Outcome>) {
    const points = new KillPoints(moment);
    this.between = (ports) => ({
      ...ports,
      versions: points.watch(ports.versions, 'describe', 'read', 'putPending', 'moveLabel'),
      proof: points.watch(ports.proof, 'prove'),
    });
    const outcome = await Promise.race([work(), points.killed.then(() => 'killed')]);
    this.between = (ports) => ports;
    if (moment > 0) this.#process = { ...this.#process, countedRuns: new CountedRuns() };
    return { outcome, passed: points.passed };
  }

  /**
   * Runs one invocation.
   * @returns its error
   */
  async invoke(event: unknown): Promise<RotationError | undefined> {
    const ports = this.between({ ...this.#process, proof: this.proof });
    try {
      await rotate(ports, event, this.clock.monotonicMs() + STEP_MS);
      return undefined;
    } catch (error) {
      this.#errors.push({ place: 'error', text: inspect(error, { depth: 8 }) });
      return error as RotationError;
    }
  }

  /** The event of a step, as Secrets Manager sends it. */
  event(Step: RotationStep, runId: string) {
    return { SecretId: this.secret.arn, ClientRequestToken: runId, Step };
  }

  /**
   * Runs a step.
   * @returns its error code, or `done`
   */
  async step(step: RotationStep, runId: string): Promise<string> {
    const error = await this.invoke(this.event(step, runId));
    return error === undefined ? 'done' : error.code;
  }

  metrics(): Readonly<Record<string, number>> {
    return this.#metrics.counts;
  }

  /** Everything visible. */
  visible(): readonly VisibleText[] {
    const text = JSON.stringify([this.log.lines, this.#metrics.counts]);
    return [...this.#errors, { place: 'log and metrics', text }];
  }

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

  /** Checks what always holds for a credential: one current, working value, and no visible secret. */
  expectSound(): void {
    expect(this.versions().filter(({ labels }) => labels.includes('AWSCURRENT'))).toHaveLength(1);
    expect(this.platform.accepts(this.kind, this.valueAt('AWSCURRENT'))).toBe(true);
    expect(findCanaries(this.platform.canaries, this.visible())).toEqual([]);
  }
}
