import { inspect } from 'node:util';

import { KIND_TAG } from '../../../core/secrets/credential-labels';
import { type RotationStep } from '../../../core/rotation/rotation';
import { credentialSecretName } from '../../../core/secrets/secret-names';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { rotate, type RotationPorts } from '../../../lambdas/rotate-credentials/rotate';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
import { PlatformProof } from '../../../lambdas/shared/adapters/platform-proof';
import { SecretsManagerCredentialVersions } from '../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { type CredentialProof, type CredentialVersions } from '../../../lambdas/shared/ports';
import { clientOf, SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { type VisibleText } from '../../support/canaries';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { deploymentOf, KEY } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { VirtualTransport } from '../support/virtual-transport';
import { CredentialPlatform } from './credential-platform';
import { type RotationSituation, RotationWorld, TENANT_ID } from './rotation-world';

/** The function's timeout less the handler's reserve. */
const STEP_MS = 58_500;
const PLATFORM = {
  contentBaseUrl: 'https://platform.example/api',
  contentTokenBaseUrl: 'https://platform.example/content',
  webhooksTokenBaseUrl: 'https://platform.example/webhooks',
};

/** The use cases with the real Secrets Manager adapter and proof, on virtual time. */
export class VirtualRotationWorld extends RotationWorld {
  readonly clock: VirtualClock;
  readonly secretsManager: SimulatedSecretsManager;
  readonly versionsPort: CredentialVersions;
  readonly log = new RecordingLog();
  readonly deployment = deploymentOf([TENANT_ID]);
  proof: CredentialProof;
  /** A test's wrapper around the ports of the use cases. */
  between = (ports: RotationPorts): RotationPorts => ports;
  readonly #metrics = new CountingMetrics();
  readonly #errors: VisibleText[] = [];
  #countedRuns = new CountedRuns();

  /** @param random for jitter */
  constructor(situation: RotationSituation, random: () => number = () => 0.5) {
    const clock = new VirtualClock();
    const secretsManager = new SimulatedSecretsManager(clock);
    const name = credentialSecretName('latchkey', KEY, situation.kind);
    const platform = new CredentialPlatform(TENANT_ID, () => clock.nowMs());
    super(situation, platform, secretsManager.create(name, { [KIND_TAG]: situation.kind }));
    this.clock = clock;
    this.secretsManager = secretsManager;
    this.versionsPort = new SecretsManagerCredentialVersions(
      clientOf((command) => secretsManager.send(command)),
    );
    const sendRequest = new VirtualTransport(platform, clock).send;
    this.proof = new PlatformProof({ platform: PLATFORM, clock, random, sendRequest });
  }

  /** Clears what a cold start loses. */
  startNewProcess(): void {
    this.#countedRuns = new CountedRuns();
  }

  /**
   * Runs one invocation.
   * @returns its error
   */
  async invoke(event: unknown): Promise<RotationError | undefined> {
    const { deployment, clock, proof, log, versionsPort: versions } = this;
    const ports = {
      deployment,
      clock,
      proof,
      log,
      metrics: this.#metrics,
      countedRuns: this.#countedRuns,
      versions,
    };
    try {
      await rotate(this.between(ports), event, clock.monotonicMs() + STEP_MS);
      return undefined;
    } catch (error) {
      this.#errors.push({ place: 'error', text: inspect(error, { depth: 8 }) });
      return error as RotationError;
    }
  }

  async step(Step: RotationStep, runId: string): Promise<string> {
    const error = await this.invoke({ SecretId: this.secret.arn, ClientRequestToken: runId, Step });
    return error === undefined ? 'done' : error.code;
  }

  metrics(): Readonly<Record<string, number>> {
    return this.#metrics.counts;
  }

  visible(): readonly VisibleText[] {
    const text = JSON.stringify([this.log.lines, this.#metrics.counts]);
    return [...this.#errors, { place: 'log and metrics', text }];
  }
}
