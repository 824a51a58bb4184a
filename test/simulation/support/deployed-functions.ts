import { type InvokeCommand } from '@aws-sdk/client-lambda';
import { RotateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { randomUUID } from 'node:crypto';

import { type WatchEvent } from '../../../contract/credential-watch';
import { type DeploymentFile } from '../../../contract/deployment-file';
import { type RotationEvent } from '../../../contract/rotation';
import { takeSnapshot } from '../../../lambdas/credential-watch/take-snapshot';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { rotate } from '../../../lambdas/rotate-credentials/rotate';
import { PlatformProof } from '../../../lambdas/shared/adapters/platform-proof';
import { SecretsManagerCredentialVersions } from '../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { SecretsManagerInspector } from '../../../lambdas/shared/adapters/secrets-manager-inspector';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { type EnsureRequest, parseEvent } from '../../../lambdas/token-refresh/ensure-event';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { KillPoints } from '../../faults/support/kill-points';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { ROTATION_FUNCTION } from './simulated-rotation';
import { clientOf } from '../../support/aws/simulated-secrets-manager';
import { type Outside, startProcess } from './token-process';

/** The functions' timeouts, less what their handlers keep. */
const STEP_MS = 58_500;
const WATCH_MS = 58_500;
const ENSURE_MS = 29_000;
const SWEEP_MS = 239_000;
const SCHEDULE = { ScheduleExpression: 'cron(0 8 1 * ? *)', Duration: '3h' };

/** The functions of a deployment: their real use cases and adapters, each invocation in a process of its own. */
export class DeployedFunctions {
  /** Kills rotate-credentials; from that moment on each of its processes dies at once, until others are put here. */
  rotationPoints = new KillPoints();
  /** Whether it is as dead for one invocation only. */
  isKilledOnce = false;
  /** Called before each step. */
  beforeStep: (event: RotationEvent) => Promise<void> | void = () => undefined;
  /** Of rotate-credentials. */
  readonly metrics = new CountingMetrics();
  readonly #deployment: DeploymentFile;
  readonly #outside: Outside;

  constructor(deployment: DeploymentFile, outside: Outside) {
    this.#deployment = deployment;
    this.#outside = outside;
  }

  /** As the templates do it: a schedule, and for now only the test of the configuration. */
  async configureRotation(secretName: string): Promise<void> {
    await this.#outside.send(
      new RotateSecretCommand({
        SecretId: secretName,
        ClientRequestToken: randomUUID(),
        RotationLambdaARN: ROTATION_FUNCTION,
        RotationRules: SCHEDULE,
        RotateImmediately: false,
      }),
    );
  }

  /** One step of a rotation. */
  async rotate(event: RotationEvent): Promise<void> {
    await this.beforeStep(event);
    const points = this.rotationPoints;
    const { clock, random } = this.#outside;
    const { send, sendRequest } = points.watch(this.#outside, 'send', 'sendRequest');
    const ports = {
      ...{ deployment: this.#deployment, clock, metrics: this.metrics, countedRuns: new CountedRuns() },
      versions: new SecretsManagerCredentialVersions(clientOf(send)),
      proof: new PlatformProof({ platform: this.#deployment.platform, clock, random, sendRequest }),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    };
    const died = points.killed.then(() => {
      if (this.isKilledOnce) this.rotationPoints = new KillPoints();
      throw new Error('the process has died');
    });
    await Promise.race([died, rotate(ports, event, clock.monotonicMs() + STEP_MS)]);
  }

  /** What Lambda does with an invocation; stands where the SDK's client stands. */
  invoke = async ({ input }: InvokeCommand): Promise<object> => {
    const event = JSON.parse(Buffer.from(input.Payload as Uint8Array).toString()) as object;
    const work = this.#run(input.FunctionName!, event);
    if (input.InvocationType === 'Event') return {};
    return { Payload: Buffer.from(JSON.stringify(await work)) };
  };

  async #run(functionArn: string, event: object): Promise<object> {
    const { clock, send } = this.#outside;
    if (functionArn.endsWith('credential-watch-arn')) {
      const secrets = new SecretsManagerInspector(clientOf(send), this.#deployment);
      const ports = { deployment: this.#deployment, secrets, clock };
      return takeSnapshot(ports, (event as WatchEvent).tenantIds, clock.monotonicMs() + WATCH_MS);
    }
    const ports = startProcess(this.#outside, this.#deployment);
    if (functionArn.endsWith('token-sweep-arn')) {
      return sweep(ports, this.#deployment, clock.monotonicMs() + SWEEP_MS);
    }
    const request = parseEvent(event, this.#deployment) as EnsureRequest;
    return ensure(ports, request, clock.monotonicMs() + ENSURE_MS);
  }
}
