import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type DeploymentSnapshot } from '../../../core/deployment/deployment-snapshot';
import { tokenSecretName } from '../../../core/secrets/secret-names';
import { serializeStoredToken } from '../../../core/tokens/stored-token';
import { SecretsManagerInspector } from '../../../lambdas/shared/adapters/secrets-manager-inspector';
import { takeSnapshot } from '../../../lambdas/credential-watch/take-snapshot';
import { watch } from '../../../lambdas/credential-watch/watch';
import {
  arnOf,
  clientOf,
  type SentCommand,
  serviceException,
} from '../../support/aws/simulated-secrets-manager';
import { DrivenTime } from '../../support/live/driven-time';
import { SeededRandom } from '../../support/live/seeded-random';
import { SILENT } from '../../support/live/token-process';
import { CALL_MS, DAY_MS, deploymentFor, keysOf, limitOf, MINUTE_MS, oneProcessor } from './scale-world';

/**
 * Calls per second of an account in an AWS region.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const PER_SEC = { ListSecretVersionIds: 50, BatchGetSecretValue: 100 };
/** The SDK's attempts, and the base of its waits between them. */
const ATTEMPTS = 3;
const BACKOFF_MS = 100;
const VersionId = 'c3f1a2b4-5d6e-4f70-8192-a3b4c5d6e7f8';

/**
 * Runs credential-watch once over credentials that were loaded once and never rotated.
 * @param timeoutMs in which the function has to end
 */
export async function simulateWatch(tenants: number, timeoutMs: number) {
  const clock = new DrivenTime();
  const startMs = clock.nowMs();
  const random = new SeededRandom(tenants);
  const processor = oneProcessor(clock);
  const limits = new Map(
    Object.entries(PER_SEC).map(([operation, perSec]) => [operation, limitOf(clock, perSec)]),
  );
  const deployment = deploymentFor(tenants);
  const keys = new Map(keysOf(deployment).map((key) => [tokenSecretName(deployment.prefix, key), key]));
  let calls = 0;

  async function send({ constructor, input }: SentCommand): Promise<object> {
    const operation = constructor.name.replace(/Command$/, '');
    for (let attempt = 1; ; attempt += 1) {
      calls += 1;
      await clock.sleep(processor() + random.between(...CALL_MS));
      if (limits.get(operation)?.() ?? true) break;
      if (attempt === ATTEMPTS) throw serviceException('ThrottlingException');
      await clock.sleep(random.next() * BACKOFF_MS * 2 ** (attempt - 1));
    }
    const { SecretId = '', SecretIdList = [] } = input as { SecretId?: string; SecretIdList?: string[] };
    return operation === 'BatchGetSecretValue'
      ? { SecretValues: SecretIdList.map((name) => ({ Name: name, ...answerTo(operation, name) })) }
      : answerTo(operation, SecretId);
  }

  /** An answer of the usual size. */
  function answerTo(operation: string, secretId: string): object {
    const name = secretId.replace(/^arn:.*:secret:(.*)-\w{6}$/, '$1');
    const loadedAtMs = startMs - DAY_MS;
    const version = { ARN: arnOf(name), VersionId, CreatedDate: new Date(loadedAtMs) };
    if (operation === 'ListSecretVersionIds') return { Versions: [version] };
    if (operation === 'DescribeSecret') {
      return {
        ARN: version.ARN,
        VersionIdsToStages: { [VersionId]: ['AWSCURRENT'] },
        LastChangedDate: new Date(loadedAtMs),
        RotationEnabled: true,
        RotationRules: { ScheduleExpression: 'cron(0 8 1 */3 ? *)' },
        NextRotationDate: new Date(startMs + 60 * DAY_MS),
      };
    }
    const key = keys.get(name);
    const apiKey = { apiKey: 'simulated', validUntil: new Date(startMs + 90 * DAY_MS).toISOString() };
    const token = {
      accessToken: 'x'.repeat(1_000),
      issuedAtMs: startMs,
      expiresAtMs: startMs + 60 * MINUTE_MS,
      credentialVersionId: VersionId,
      credentialCreatedAtMs: loadedAtMs,
      writesMs: [],
    };
    return { ...version, SecretString: key ? serializeStoredToken(token, key) : JSON.stringify(apiKey) };
  }

  const secrets = new SecretsManagerInspector(clientOf(send), deployment);
  const ports = { deployment, secrets, clock, log: SILENT, metrics: { count: () => undefined } };
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  let snapshot: DeploymentSnapshot | undefined;
  let durationMs = Infinity;
  void takeSnapshot(ports, undefined, startMs + timeoutMs).then((taken) => {
    snapshot = taken;
    durationMs = clock.nowMs() - startMs;
  });
  await clock.advance(timeoutMs + MINUTE_MS);
  watch(ports, snapshot!);
  collectGarbage();
  const inspected = snapshot!.tenants.flatMap(({ credentials, tokens }) => [...credentials, ...tokens]);
  return {
    durationMs,
    calls,
    unavailable: inspected.filter(({ access }) => access === 'unavailable').length,
    /** What the snapshot and the findings take of the process's memory. */
    heapMb: (process.memoryUsage().heapUsed - before) / 1e6,
    reportBytes: Buffer.byteLength(JSON.stringify(snapshot)),
  };
}

/** Otherwise the heap has what earlier work left, and its growth can be anything. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
