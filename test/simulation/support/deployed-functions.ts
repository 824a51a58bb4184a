import { type InvokeCommand } from '@aws-sdk/client-lambda';
import { RotateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { randomUUID } from 'node:crypto';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type RotationEvent } from '../../../core/rotation/rotation';
import { KillPoints } from '../../support/kill-points';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { ROTATION_FUNCTION } from './simulated-rotation';
import { type Outside } from '../../support/live/token-process';
import {
  type ProcessStart,
  type Program,
  refreshProgram,
  rotationProgram,
  sweepProgram,
  watchProgram,
} from '../../support/live/programs';

/** The functions' timeouts, less the time that the handlers reserve. */
const STEP_MS = 58_500;
const TIMES_MS: Record<string, number> = {
  'credential-watch-arn': 58_500,
  'rotate-credentials-arn': STEP_MS,
  'token-refresh-arn': 29_000,
  'token-sweep-arn': 239_000,
};
const PROGRAMS: Record<string, (start: ProcessStart) => Program> = {
  'credential-watch-arn': watchProgram,
  'rotate-credentials-arn': rotationProgram,
  'token-refresh-arn': refreshProgram,
  'token-sweep-arn': sweepProgram,
};
/** Of the credentials' rotation. */
export const SCHEDULE = 'cron(0 8 1 * ? *)';

/** The functions of a deployment with their real use cases and adapters. Each invocation runs in a new process. */
export class DeployedFunctions {
  /** Kill points of rotate-credentials. After the kill every new process dies at once, until these are replaced. */
  rotationPoints = new KillPoints();
  /** Called before each step. */
  beforeStep: (event: RotationEvent) => Promise<void> | void = () => undefined;
  /** Metrics of rotate-credentials. */
  readonly metrics = new CountingMetrics();
  readonly #deployment: DeploymentFile;
  readonly #outside: Outside;

  constructor(deployment: DeploymentFile, outside: Outside) {
    this.#deployment = deployment;
    this.#outside = outside;
  }

  /**
   * Configures a schedule without an immediate rotation, as the templates do; AWS then runs only the
   * configuration test.
   */
  async configureRotation(secretName: string): Promise<void> {
    await this.#outside.send(
      new RotateSecretCommand({
        SecretId: secretName,
        ClientRequestToken: randomUUID(),
        RotationLambdaARN: ROTATION_FUNCTION,
        RotationRules: { ScheduleExpression: SCHEDULE, Duration: '3h' },
        RotateImmediately: false,
      }),
    );
  }

  /** Runs one step of a rotation. */
  async rotate(event: RotationEvent): Promise<void> {
    await this.beforeStep(event);
    const { rotationPoints: points, metrics } = this;
    const { clock } = this.#outside;
    const outside = points.watch(this.#outside, 'send', 'sendRequest');
    const program = rotationProgram({ deployment: this.#deployment, outside, metrics });
    const died = points.killed.then(() => {
      throw new Error('the process has died');
    });
    await Promise.race([died, program(event, clock.monotonicMs() + STEP_MS)]);
  }

  /** Replaces the SDK client's `send`, and does what Lambda does. */
  invoke = async ({ input }: InvokeCommand): Promise<object> => {
    const event = JSON.parse(Buffer.from(input.Payload as Uint8Array).toString()) as object;
    const work = this.#run(input.FunctionName!, event);
    if (input.InvocationType === 'Event') return {};
    return { Payload: Buffer.from(JSON.stringify(await work)) };
  };

  #run(functionArn: string, event: object): Promise<unknown> {
    const start = {
      deployment: this.#deployment,
      outside: this.#outside,
      metrics: new CountingMetrics(),
    };
    const leaf = Object.keys(TIMES_MS).find((name) => functionArn.endsWith(name))!;
    return PROGRAMS[leaf]!(start)(event, this.#outside.clock.monotonicMs() + TIMES_MS[leaf]!);
  }
}
