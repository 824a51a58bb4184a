import { KIND_TAG } from '../../../contract/credential-labels';
import { type InterfaceScope } from '../../../contract/platform';
import { ROTATION_STEPS, type RotationStep } from '../../../contract/rotation';
import { type CredentialKind, credentialSecretName } from '../../../contract/secret-names';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { rotate, type RotationPorts } from '../../../lambdas/rotate-credentials/rotate';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
import { type CredentialValue } from '../../../lambdas/shared/domain/credential-values';
import { type CredentialProof, type ProofOutcome } from '../../../lambdas/shared/ports';
import { CountingMetrics } from './counting-metrics';
import { InMemoryCredentialVersions } from './in-memory-credential-versions';
import { RecordingLog } from './recording-log';
import { deploymentOf, KEY, TENANT_ID } from './token-functions';
import { VirtualClock } from './virtual-clock';

/** What Lambda gives an invocation, less the handler's reserve. */
const STEP_MS = 58_500;
const TOKENS: InterfaceScope[] = [{ interface: 'content', scope: 'api/read' }];

/** A secret value of that kind; the name makes it one of its own, and its secret part a canary. */
export function valueOf(kind: CredentialKind, name: string): string {
  return JSON.stringify(
    kind === 'api-key'
      ? { apiKey: secretPartOf(name), validUntil: '2030-01-01T00:00:00.000Z' }
      : { clientId: `${secretPartOf(name)}-id`, clientSecret: secretPartOf(name) },
  );
}

/** What must be seen nowhere of the value of that name. */
export function secretPartOf(name: string): string {
  return `kept-secret-of-${name}`;
}

/** Says of credentials what a test tells it to say, by their secret part; `proven` of what it was not told. */
export class ScriptedProof implements CredentialProof {
  readonly asked: { credential: CredentialValue; deadlineMs: number }[] = [];
  readonly outcomes = new Map<string, ProofOutcome>();
  /** Names of the credentials that were proven. */
  readonly accepted = new Set<string>();

  async prove(_: unknown, credential: CredentialValue, deadlineMs: number): Promise<ProofOutcome> {
    this.asked.push({ credential, deadlineMs });
    const part = credential.kind === 'api-key' ? credential.value.apiKey : credential.value.clientSecret;
    const outcome = this.outcomes.get(part) ?? { kind: 'proven' };
    if (outcome.kind === 'proven') this.accepted.add(part.replace(secretPartOf(''), ''));
    return outcome;
  }

  refuse(name: string): void {
    this.outcomes.set(secretPartOf(name), { kind: 'refused', reason: 'the platform answered 401' });
  }

  fail(name: string): void {
    this.outcomes.set(secretPartOf(name), { kind: 'could_not_test', reason: 'the platform answered 503' });
  }

  accept(name: string): void {
    this.outcomes.delete(secretPartOf(name));
  }
}

/** The function's ports in memory, over one secret of one kind. */
export class RotationFunctions {
  readonly kind: CredentialKind;
  readonly clock = new VirtualClock();
  readonly log = new RecordingLog();
  readonly metrics = new CountingMetrics();
  readonly proof = new ScriptedProof();
  readonly secret: InMemoryCredentialVersions;
  readonly deployment = deploymentOf([TENANT_ID], {
    tenants: [{ tenantId: TENANT_ID, tokens: TOKENS, adopted: {} }],
  });
  countedRuns = new CountedRuns();
  /** Ids of the runs so far. */
  readonly begun: string[] = [];

  constructor(kind: CredentialKind) {
    this.kind = kind;
    this.secret = new InMemoryCredentialVersions(credentialSecretName('latchkey', KEY, kind), {
      [KIND_TAG]: kind,
    });
  }

  /** A secret with a current version `old`, which works, and whatever of a staged version `new`. */
  static rotating(kind: CredentialKind): RotationFunctions {
    const functions = new RotationFunctions(kind);
    functions.secret.put('version-old', valueOf(kind, 'old'), []);
    functions.secret.stage('version-new', valueOf(kind, 'new'));
    functions.begin();
    return functions;
  }

  ports(): RotationPorts {
    const { deployment, clock, proof, log, metrics, countedRuns, secret } = this;
    return { deployment, clock, proof, log, metrics, countedRuns, versions: secret };
  }

  /** One step, as Secrets Manager asks for it. */
  async step(Step: RotationStep, runId = 'run-1', ports = this.ports()): Promise<void> {
    const event = { SecretId: this.secret.arn, ClientRequestToken: runId, Step };
    await rotate(ports, event, this.clock.monotonicMs() + STEP_MS);
  }

  /** The code that a step fails with, or `done`. */
  async outcomeOf(step: RotationStep, runId = 'run-1', ports = this.ports()): Promise<string> {
    return this.step(step, runId, ports).then(
      () => 'done',
      ({ code }: RotationError) => code,
    );
  }

  /** All steps until one fails, as Secrets Manager does; AWSPENDING goes once all are done. */
  async run(runId = 'run-1', ports = this.ports()): Promise<string> {
    for (const step of ROTATION_STEPS) {
      const outcome = await this.outcomeOf(step, runId, ports);
      if (outcome !== 'done') return outcome;
    }
    if (this.secret.holderOf('AWSPENDING') === runId) this.secret.move('AWSPENDING', undefined);
    return 'done';
  }

  /** Begins a rotation as RotateSecret does: a pending version that is not finished is taken up again. */
  begin(): string {
    const pending = this.secret.holderOf('AWSPENDING');
    if (pending !== undefined && pending !== this.secret.holderOf('AWSCURRENT')) return pending;
    const runId = `run-${this.begun.length + 1}`;
    this.begun.push(runId);
    this.secret.put(runId, undefined, ['AWSPENDING']);
    return runId;
  }

  /** All that somebody may see of the function. */
  visible(): string {
    return JSON.stringify([this.log.lines, this.metrics.counts]);
  }
}
