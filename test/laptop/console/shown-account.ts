import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { LEARNING_PLATFORM } from '../../../core/issuers/learning-platform';
import { judgedVersion, proofRecordTags } from '../../../core/rotation/proof-record';
import { SCHEDULED_FUNCTIONS, scheduleName } from '../../../core/deployment/schedules';
import {
  Account,
  MetricStore,
  type Schedule,
  type Secret,
  type SecretVersion,
} from 'cdk-on-loopback/testing';
import { type ConsoleInput } from '../../../laptop/console/console-view';

export const NOW_MS = Date.parse('2026-07-26T12:00:00Z');
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const TENANT_ID = 'me-south-1_Staging';
export const CONTENT_ID = '0123456789abcdef01234567';
export const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'mea' } as const;
export const PLACE = { ...DEPLOYMENT_KEY, tenantId: TENANT_ID };
export const NAME_START = `latchkey/staging/mea/${TENANT_ID}`;
/** As long as Secrets Manager's ids are. */
export const KEY_VERSION = 'v-key'.padEnd(32, '0');
export const WRITE_TOKEN = `${NAME_START}/token/content/api-write`;
export const RESTORE_LOG = '/aws/lambda/restore';
export const ACCESS_LOG = 'access-log';

export const DEPLOYMENT = {
  ...DEPLOYMENT_KEY,
  prefix: 'latchkey',
  profile: LEARNING_PLATFORM,
  platform: {
    contentBaseUrl: 'https://127.0.0.1:1/staging/mea/rest/v1',
    contentTokenBaseUrl: 'https://127.0.0.1:1/staging/mea/auth',
  },
  credentials: { maxAgeDays: 90, rotationSchedule: 'none' },
  restore: { available: true, method: 'POST', path: '/contents/{contentId}/restore' },
  restoreApi: { apiKeyGraceSec: 86_400, acceptsApiKeys: true },
  tenants: [{ tenantId: TENANT_ID, tokens: [{ interface: 'content', scope: 'api/write' }], adopted: {} }],
} as unknown as DeploymentFile;

export const tokenValue = (more: object = {}): string =>
  JSON.stringify({
    ...PLACE,
    interface: 'content',
    scope: 'api/write',
    accessToken: 'CANARY-access-token',
    tokenType: 'Bearer',
    issuedAt: '2026-07-26T11:30:00.000Z',
    expiresAt: '2026-07-26T12:30:00.000Z',
    credentialVersionId: 'v-client',
    ...more,
  });

/** An account with one tenant whose secrets are all loaded, and methods to change it. */
export class ShownAccount {
  readonly account = new Account('111111111111', 'eu-west-1');

  constructor() {
    this.put(`${NAME_START}/client-credentials`, {
      versionId: 'v-client',
      createdAtMs: NOW_MS - 10 * DAY_MS,
      secretString: '{"clientId":"CANARY-client-id","clientSecret":"CANARY-client-secret"}',
    });
    this.put(`${NAME_START}/api-key`, {
      versionId: KEY_VERSION,
      createdAtMs: NOW_MS - 10 * DAY_MS,
      secretString: '{"apiKey":"CANARY-api-key","validUntil":"2027-07-26T12:00:00.000Z"}',
    });
    this.judgeKey();
    this.put(WRITE_TOKEN, { secretString: tokenValue() });
    for (const functionName of SCHEDULED_FUNCTIONS) {
      const name = scheduleName('latchkey', DEPLOYMENT_KEY, functionName);
      const schedule = { arn: `arn:${name}`, name, state: 'ENABLED' } as Schedule;
      this.account.schedules.set(schedule.arn, schedule);
    }
    for (const name of [RESTORE_LOG, ACCESS_LOG]) {
      this.account.logGroups.set(name, { arn: `arn:${name}`, name, events: [] });
    }
  }

  /** Records that the platform accepted the API key, or refused it since. */
  judgeKey({ isRefused = false } = {}): void {
    const judged = judgedVersion(KEY_VERSION, NOW_MS - 10 * DAY_MS);
    const record = { proven: [judged], refused: isRefused ? judged : undefined };
    Object.assign(this.account.secrets.named(`${NAME_START}/api-key`)!.tags, proofRecordTags(record));
  }

  /** Creates a version of the secret, and the secret if it does not exist. */
  put(name: string, version: Partial<SecretVersion>): Secret {
    const arn = `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${name}-AbCdEf`;
    const secret = this.account.secrets.get(arn) ?? {
      arn,
      name,
      tags: {},
      createdAtMs: NOW_MS,
      lastChangedAtMs: NOW_MS,
      versions: new Map(),
    };
    const made = {
      versionId: `v-${secret.versions.size + 1}`,
      createdAtMs: NOW_MS,
      stages: new Set(['AWSCURRENT']),
      ...version,
    };
    secret.versions.set(made.versionId, made);
    this.account.secrets.set(arn, secret);
    return secret;
  }

  log(group: string, atMs: number, line: object): void {
    this.account.logGroups.get(group)!.events.push({ timestampMs: atMs, message: JSON.stringify(line) });
  }

  input(more: Partial<ConsoleInput> = {}): ConsoleInput {
    return {
      account: this.account,
      deployments: [
        {
          file: DEPLOYMENT,
          stack: 'latchkey-staging-mea',
          hasRestoreApi: true,
          restoreLogs: {
            deploymentKey: DEPLOYMENT_KEY,
            tenantIds: [TENANT_ID],
            accessLogGroup: ACCESS_LOG,
            functionLogGroup: RESTORE_LOG,
          },
        },
      ],
      alarms: [],
      metrics: new MetricStore(),
      faults: [],
      requests: [],
      nowMs: NOW_MS,
      aheadMs: 0,
      ...more,
    };
  }
}
