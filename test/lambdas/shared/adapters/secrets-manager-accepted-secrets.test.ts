import {
  type JudgedVersion,
  judgedVersion,
  parseProofRecord,
  proofRecordTags,
} from '../../../../core/rotation/proof-record';
import { type TokenType } from '../../../../core/deployment/platform';
import { tokenSecretName } from '../../../../core/secrets/secret-names';
import { sha256Hex } from '../../../../core/secrets/sha256';
import { SecretsManagerAcceptedSecrets } from '../../../../lambdas/shared/adapters/secrets-manager-accepted-secrets';
import { type AcceptedSecret, digestOf } from '../../../../core/secrets/accepted-secret';
import { type StoreError } from '../../../../core/secrets/store-error';
import { serializeStoredToken, type StoredToken } from '../../../../core/tokens/stored-token';
import { addVersion, moveLabel } from 'cdk-on-loopback/testing';
import { arnOf, clientOf, SimulatedSecretsManager } from '../../../support/aws/simulated-secrets-manager';
import { failureOf } from '../../../support/lambdas/failure-of';
import { restoringDeploymentOf } from '../../../support/lambdas/restore-functions';
import { keyOf, TENANT_ID } from '../../../support/lambdas/token-functions';
import { NOON_MS, VirtualClock } from '../../../support/lambdas/virtual-clock';

const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID } as const;
const KEY_NAME = `latchkey/staging/mea/${TENANT_ID}/api-key`;
const DAY_MS = 86_400_000;
const VALID_UNTIL_MS = NOON_MS + 365 * DAY_MS;
const CANARY = 'canary-secret';

type Stage = 'AWSCURRENT' | 'AWSPREVIOUS';

let store: SimulatedSecretsManager;
let secrets: SecretsManagerAcceptedSecrets;
beforeEach(() => {
  store = new SimulatedSecretsManager(new VirtualClock());
  secrets = new SecretsManagerAcceptedSecrets(clientOf(store.send), restoringDeploymentOf());
});

const secretNamed = (name: string) => store.account.secrets.named(name) ?? store.create(name);

/** Loads a proven version of a secret, by default of the API key, at the given time. */
function load(stage: Stage, value: object | string, { writtenAtMs = NOON_MS, name = KEY_NAME } = {}): void {
  const secret = secretNamed(name);
  const version = addVersion(secret, `${stage}-${secret.versions.size}`.padEnd(32, '-'), writtenAtMs);
  version.secretString = typeof value === 'object' ? JSON.stringify(value) : value;
  moveLabel(secret, stage, version);
  const { proven } = parseProofRecord(secret.tags);
  const judged = judgedVersion(version.versionId, writtenAtMs);
  secret.tags = { ...secret.tags, ...proofRecordTags({ proven: [...proven, judged], refused: undefined }) };
}

/** Ends a rotation of the API key at the given time. */
function rotated(lastRotatedAtMs: number): void {
  store.secret(KEY_NAME).rotation = { lambdaArn: 'arn', rules: {}, isEnabled: true, lastRotatedAtMs };
}
const keyValue = (apiKey: string, validUntilMs = VALID_UNTIL_MS) => ({
  apiKey,
  validUntil: new Date(validUntilMs).toISOString(),
});
const accepted = (secret: string, acceptedUntilMs: number, mayWrite = true): Partial<AcceptedSecret> => ({
  sha256: digestOf(secret),
  acceptedUntilMs,
  mayWrite,
});
/** What decides whether a secret is accepted, without its source. */
const rulesOf = (found: AcceptedSecret[]) =>
  found.map(({ sha256, acceptedUntilMs, mayWrite }) => ({ sha256, acceptedUntilMs, mayWrite }));

describe('API keys', () => {
  test.each<[string, () => void]>([
    ['the secret is missing', () => undefined],
    ['no version is current, even with a previous one', () => load('AWSPREVIOUS', keyValue('previous'))],
    ['the current one has no expiry', () => load('AWSCURRENT', { apiKey: 'key' })],
  ])('are none if %s', async (_, prepare) => {
    prepare();

    expect(await secrets.apiKeys(TENANT)).toEqual([]);
  });

  test('are read from the adopted secret if there is one', async () => {
    const deployment = restoringDeploymentOf();
    deployment.tenants[0]!.adopted = { apiKey: arnOf('old/key') };
    const adopting = new SecretsManagerAcceptedSecrets(clientOf(store.send), deployment);
    load('AWSCURRENT', keyValue('adopted-key'), { name: 'old/key' });

    expect(rulesOf(await adopting.apiKeys(TENANT))).toEqual([accepted('adopted-key', VALID_UNTIL_MS)]);
  });
});

describe('the previous API key', () => {
  beforeEach(() => {
    load('AWSCURRENT', keyValue('key'), { writtenAtMs: NOON_MS - 3 * DAY_MS });
    load('AWSPREVIOUS', keyValue('previous'), { writtenAtMs: NOON_MS - 30 * DAY_MS });
  });

  test('is accepted for the grace period after the rotation that replaced it, with three calls', async () => {
    rotated(NOON_MS);

    expect(rulesOf(await secrets.apiKeys(TENANT))).toEqual([
      accepted('key', VALID_UNTIL_MS),
      accepted('previous', NOON_MS + DAY_MS),
    ]);
    expect(store.commands).toHaveLength(3);
  });

  test('is accepted for the grace period after the current one was written, without a rotation since', async () => {
    const [, neverRotated] = rulesOf(await secrets.apiKeys(TENANT));
    rotated(NOON_MS - 20 * DAY_MS);
    const [, rotatedBefore] = rulesOf(await secrets.apiKeys(TENANT));

    expect([neverRotated, rotatedBefore]).toEqual(Array(2).fill(accepted('previous', NOON_MS - 2 * DAY_MS)));
  });

  test('is not accepted after its own expiry', async () => {
    rotated(NOON_MS);
    load('AWSPREVIOUS', keyValue('previous', NOON_MS + 5_000));

    const [, previous] = rulesOf(await secrets.apiKeys(TENANT));

    expect(previous).toEqual(accepted('previous', NOON_MS + 5_000));
  });
});

describe('with a record of what the platform accepted', () => {
  const idOf = (name: string) => name.padEnd(32, '-');
  /** Writes a key as an operator does, by hand: it becomes current. */
  const paste = (name: string, writtenAtMs = NOON_MS) => {
    const secret = secretNamed(KEY_NAME);
    const version = addVersion(secret, idOf(name), writtenAtMs);
    version.secretString = JSON.stringify(keyValue(name));
    moveLabel(secret, 'AWSCURRENT', version);
  };
  const judged = (name: string, createdAtMs = NOON_MS) => judgedVersion(idOf(name), createdAtMs);
  const record = (proven: JudgedVersion[], refused?: JudgedVersion) => {
    const secret = store.secret(KEY_NAME);
    secret.tags = { ...secret.tags, ...proofRecordTags({ proven, refused }) };
  };
  const opening = async () =>
    (await secrets.apiKeys(TENANT)).map(({ source, acceptedUntilMs }) => [
      source.versionId.replace(/-+$/, ''),
      source.version,
      acceptedUntilMs,
    ]);

  test('a key that somebody pasted does not open, and the proven one serves on', async () => {
    paste('proven');
    record([judged('proven')]);
    paste('pasted');
    const afterOne = await opening();
    paste('again');

    expect(afterOne).toEqual([['proven', 'previous', VALID_UNTIL_MS]]);
    expect(await opening()).toEqual(afterOne);
  });

  test('a current one that the platform refused since does not open, nor the previous one after its grace', async () => {
    paste('old');
    paste('refused');
    record([judged('refused'), judged('old')], judged('refused'));

    expect(await opening()).toEqual([['old', 'previous', NOON_MS + DAY_MS]]);
  });

  test('another version under the id of a proven one does not open', async () => {
    paste('proven', NOON_MS + 1_000);
    record([judged('proven', NOON_MS)]);

    expect(await opening()).toEqual([]);
  });
});

describe('content tokens', () => {
  const loadToken = (
    tokenType: TokenType,
    stage: Stage,
    accessToken: string,
    expiresAtMs: number,
    { of = TENANT_ID, ...more }: { of?: string } & Partial<StoredToken> = {},
  ) => {
    const times = { issuedAtMs: NOON_MS, expiresAtMs, writesMs: [] };
    const token = { accessToken, ...times, credentialVersionId: 'c', ...more };
    const value = serializeStoredToken(token, { ...keyOf(of), ...tokenType });
    load(stage, value, { name: tokenSecretName('latchkey', { ...TENANT, ...tokenType }) });
  };
  const READ = { interface: 'content', scope: 'api/read' } as const;
  const WRITE = { interface: 'content', scope: 'api/write' } as const;
  const ALL = { interface: 'content', scope: 'api/all' } as const;
  const WEBHOOKS = { interface: 'webhooks', scope: 'api/all' } as const;

  test('are those of the tenant’s declared scopes, current and previous, each until it expires', async () => {
    loadToken(READ, 'AWSCURRENT', 'read', NOON_MS + 1);
    loadToken(WRITE, 'AWSCURRENT', 'write', NOON_MS + 2);
    loadToken(WRITE, 'AWSPREVIOUS', 'write-before', NOON_MS + 3);
    loadToken(ALL, 'AWSCURRENT', 'all', NOON_MS + 4);

    const found = await secrets.contentTokens(TENANT, [READ, WRITE, ALL]);
    expect(rulesOf(found)).toEqual([
      accepted('read', NOON_MS + 1, false),
      accepted('write', NOON_MS + 2),
      accepted('write-before', NOON_MS + 3),
      accepted('all', NOON_MS + 4),
    ]);
    expect(found.map(({ source }) => `${source.version} ${source.name}`)).toEqual([
      'current content api/read',
      'current content api/write',
      'previous content api/write',
      'current content api/all',
    ]);
  });

  test('are not those that the platform refused, without further reads', async () => {
    const refusedTokens = [{ sha256: sha256Hex('refused'), expiresAtMs: NOON_MS + 3 }];
    loadToken(WRITE, 'AWSCURRENT', 'write', NOON_MS + 2, { refusedTokens });
    loadToken(WRITE, 'AWSPREVIOUS', 'refused', NOON_MS + 3);
    loadToken(ALL, 'AWSCURRENT', 'all', NOON_MS + 4, { refusedTokens });
    loadToken(ALL, 'AWSPREVIOUS', 'all-before', NOON_MS + 5);

    expect(rulesOf(await secrets.contentTokens(TENANT, [WRITE, ALL]))).toEqual([
      accepted('write', NOON_MS + 2),
      accepted('all', NOON_MS + 4),
      accepted('all-before', NOON_MS + 5),
    ]);
    expect(store.commands).toHaveLength(4);
  });

  test('of undeclared scopes, or of webhooks, are not read', async () => {
    loadToken(ALL, 'AWSCURRENT', 'all', NOON_MS + 1);
    loadToken(WEBHOOKS, 'AWSCURRENT', 'webhooks', NOON_MS + 1);

    expect(await secrets.contentTokens(TENANT, [READ, WEBHOOKS])).toEqual([]);
    expect(store.commands.map(({ secretId }) => secretId)).toEqual(
      Array(2).fill(`latchkey/staging/mea/${TENANT_ID}/token/content/api-read`),
    );
  });

  test('of another tenant are ignored', async () => {
    loadToken(WRITE, 'AWSCURRENT', 'foreign', NOON_MS + 1, { of: 'eu-west-2_Other' });

    expect(await secrets.contentTokens(TENANT, [WRITE])).toEqual([]);
  });
});

test('a key tells the log whether it is current, and its version, but not its value', async () => {
  load('AWSCURRENT', keyValue(CANARY));
  load('AWSPREVIOUS', keyValue('previous'));

  const found = await secrets.apiKeys(TENANT);

  expect(found.map(({ source }) => source)).toEqual([
    { name: 'api-key', version: 'current', versionId: 'AWSCURRENT-0'.padEnd(32, '-') },
    { name: 'api-key', version: 'previous', versionId: 'AWSPREVIOUS-1'.padEnd(32, '-') },
  ]);
  expect(JSON.stringify(found)).not.toContain(CANARY);
});

test.each([
  ['DescribeSecret', () => secrets.apiKeys(TENANT)],
  ['GetSecretValue', () => secrets.apiKeys(TENANT)],
  ['GetSecretValue', () => secrets.contentTokens(TENANT, [{ interface: 'content', scope: 'api/write' }])],
])('a failure of %s is thrown, not returned as an empty list', async (operation, read) => {
  load('AWSCURRENT', keyValue('key'));
  store.faults.push({ operation, name: 'InvalidRequestException', message: CANARY });

  const failure = await failureOf<StoreError>(read());

  expect(failure).toMatchObject({ name: 'StoreError', code: 'scheduled_for_deletion' });
  expect(failure.message).not.toContain(CANARY);
});
