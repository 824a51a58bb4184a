import { inspect } from 'node:util';

import { KIND_TAG } from '../../../core/secrets/credential-labels';
import { type RotationStep } from '../../../core/rotation/rotation';
import { credentialSecretName } from '../../../core/secrets/secret-names';
import { portsOver } from '../../../lambdas/rotate-credentials/compose';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { rotate, type RotationPorts } from '../../../lambdas/rotate-credentials/rotate';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
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

/** The function's ports on virtual time, over doubles of the platform and Secrets Manager. */
export class VirtualRotationWorld extends RotationWorld {
  readonly clock: VirtualClock;
  readonly secretsManager: SimulatedSecretsManager;
  readonly versionsPort: CredentialVersions;
  readonly log = new RecordingLog();
  readonly deployment = deploymentOf([TENANT_ID], { platform: PLATFORM });
  proof: CredentialProof;
  /** A test's wrapper around the ports of the use cases. */
  between = (ports: RotationPorts): RotationPorts => ports;
  readonly #metrics = new CountingMetrics();
  readonly #errors: VisibleText[] = [];
  #process: RotationPorts;

  /** @param random for jitter */
  constructor(situation: RotationSituation, random: () => number = () => 0.5) {
    const clock = new VirtualClock();
    const secretsManager = new SimulatedSecretsManager(clock);
    const name = credentialSecretName('latchkey', KEY, situation.kind);
    const platform = new CredentialPlatform(TENANT_ID, () => clock.nowMs());
    super(situation, platform, secretsManager.create(name, { [KIND_TAG]: situation.kind }));
    this.clock = clock;
    this.secretsManager = secretsManager;
    const process = portsOver({
      deployment: this.deployment,
      secretsManager: clientOf((command) => secretsManager.send(command)),
      sendRequest: new VirtualTransport(platform, clock).send,
      clock,
      random,
      log: this.log,
      metrics: this.#metrics,
    });
    this.#process = process;
    this.versionsPort = process.versions;
    this.proof = process.proof;
  }

  /** Clears what a cold start loses. */
  startNewProcess(): void {
    this.#process = { ...this.#process, countedRuns: new CountedRuns() };
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
