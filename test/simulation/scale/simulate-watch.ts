import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type DeploymentSnapshot } from '../../../core/deployment/deployment-snapshot';
import { SecretsManagerInspector } from '../../../lambdas/shared/adapters/secrets-manager-inspector';
import { takeSnapshot } from '../../../lambdas/credential-watch/take-snapshot';
import { watch } from '../../../lambdas/credential-watch/watch';
import {
  arnOf,
  clientOf,
  type SentCommand,
  serviceException,
} from '../../support/aws/simulated-secrets-manager';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { SeededRandom } from '../../support/live/seeded-random';
import { EventTime } from './event-time';
import { CALL_MS, deploymentFor, DAY_MS, oneProcessor, START_MS } from './scale-world';
import { TokenBucket } from './token-bucket';

/**
 * Calls per second of an account in an AWS region.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const PER_SEC = { ListSecretVersionIdsCommand: 50, BatchGetSecretValueCommand: 100 };
/** The SDK's attempts, and the base of its waits between them. */
const ATTEMPTS = 3;
const BACKOFF_MS = 100;

/** What one run of credential-watch takes. */
export interface WatchResult {
  durationMs: number;
  calls: number;
  /** Secrets that could not be inspected. */
  unavailable: number;
  /** What the snapshot and the findings take of the process's memory. */
  heapMb: number;
  reportBytes: number;
}

/**
 * Runs credential-watch once over credentials that were loaded once and never rotated.
 * @param timeoutMs in which the function has to end
 */
export async function simulateWatch(tenants: number, timeoutMs: number): Promise<WatchResult> {
  const clock = new EventTime(START_MS);
  const random = new SeededRandom(tenants);
  const processor = oneProcessor(clock);
  const limits = new Map(
    Object.entries(PER_SEC).map(([operation, perSec]) => [operation, new TokenBucket(clock, perSec)]),
  );
  const deployment = deploymentFor(tenants);
  let calls = 0;
  async function send(command: SentCommand): Promise<object> {
    const operation = command.constructor.name;
    for (let attempt = 1; ; attempt += 1) {
      calls += 1;
      await clock.sleep(processor() + random.between(...CALL_MS));
      if (limits.get(operation)?.take() ?? true) break;
      if (attempt === ATTEMPTS) throw serviceException('ThrottlingException');
      await clock.sleep(random.next() * BACKOFF_MS * 2 ** (attempt - 1));
    }
    const { SecretId, SecretIdList = [] } = command.input as { SecretId: string; SecretIdList?: string[] };
    return operation === 'BatchGetSecretValueCommand'
      ? {
          SecretValues: SecretIdList.map((secretId) => ({
            Name: secretId,
            ...answerTo(operation, secretId),
          })),
        }
      : answerTo(operation, SecretId);
  }
  const ports = {
    deployment,
    secrets: new SecretsManagerInspector(clientOf(send), deployment),
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    metrics: new CountingMetrics(),
  };
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  let snapshot: DeploymentSnapshot | undefined;
  let durationMs = Infinity;
  void takeSnapshot(ports, undefined, timeoutMs).then((taken) => {
    snapshot = taken;
    durationMs = clock.monotonicMs();
  });
  await clock.runUntil(timeoutMs + 60_000);
  watch(ports, snapshot!);
  collectGarbage();
  const heapMb = (process.memoryUsage().heapUsed - before) / 1e6;
  const secrets = snapshot!.tenants.flatMap(({ credentials, tokens }) => [...credentials, ...tokens]);
  return {
    durationMs,
    calls,
    unavailable: secrets.filter(({ access }) => access === 'unavailable').length,
    heapMb,
    reportBytes: Buffer.byteLength(JSON.stringify(snapshot)),
  };
}

/** Otherwise the heap has what earlier work left, and its growth can be anything. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** An answer of the usual size. */
function answerTo(operation: string, secretId: string): object {
  const ARN = secretId.startsWith('arn:') ? secretId : arnOf(secretId);
  const loadedAt = new Date(START_MS - DAY_MS);
  const VersionId = 'c3f1a2b4-5d6e-4f70-8192-a3b4c5d6e7f8';
  switch (operation) {
    case 'DescribeSecretCommand':
      return {
        ARN,
        VersionIdsToStages: { [VersionId]: ['AWSCURRENT'] },
        LastChangedDate: loadedAt,
        RotationEnabled: true,
        RotationRules: { ScheduleExpression: 'cron(0 8 1 */3 ? *)' },
        NextRotationDate: new Date(START_MS + 60 * DAY_MS),
      };
    case 'ListSecretVersionIdsCommand':
      return { Versions: [{ VersionId, CreatedDate: loadedAt }] };
    default:
      return { ARN, VersionId, CreatedDate: loadedAt, SecretString: valueOf(secretId) };
  }
}

function valueOf(secretId: string): string {
  if (secretId.includes('/api-key')) {
    return JSON.stringify({
      apiKey: 'simulated',
      validUntil: new Date(START_MS + 90 * DAY_MS).toISOString(),
    });
  }
  const [, environment, platformRegion, tenantId, , platformInterface, scope] = secretId.split('/');
  return JSON.stringify({
    accessToken: 'x'.repeat(1_000),
    tokenType: 'Bearer',
    environment,
    platformRegion,
    tenantId,
    interface: platformInterface,
    scope: scope!.replace('-', '/'),
    issuedAt: new Date(START_MS).toISOString(),
    expiresAt: new Date(START_MS + 3_600_000).toISOString(),
    credentialVersionId: 'c3f1a2b4-5d6e-4f70-8192-a3b4c5d6e7f8',
    credentialCreatedAt: new Date(START_MS - DAY_MS).toISOString(),
  });
}
