import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';

import { type InterfaceScope } from '../../../../contract/platform';
import { SecretsManagerAcceptedSecrets } from '../../../../lambdas/shared/adapters/secrets-manager-accepted-secrets';
import { type AcceptedSecret, digestOf } from '../../../../lambdas/shared/domain/accepted-secret';
import { StoreError } from '../../../../lambdas/shared/domain/store-error';
import { serializeStoredToken } from '../../../../lambdas/shared/domain/stored-token';
import { restoringDeploymentOf } from '../../../support/lambdas/restore-functions';
import { keyOf, TENANT_ID } from '../../../support/lambdas/token-functions';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';

const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID } as const;
const KEY_NAME = `latchkey/staging/mea/${TENANT_ID}/api-key`;
const DAY_MS = 86_400_000;
const VALID_UNTIL_MS = NOON_MS + 365 * DAY_MS;
const CANARY = 'canary-secret';
const NO_VERSION = new ResourceNotFoundException({ message: CANARY, $metadata: {} });

const aws = mockClient(SecretsManagerClient);
const client = new SecretsManagerClient({ region: 'eu-west-2' });
const secrets = new SecretsManagerAcceptedSecrets(client, restoringDeploymentOf());
beforeEach(() => {
  aws.reset();
  aws.on(GetSecretValueCommand).rejects(NO_VERSION);
});

const failed = (name: string) =>
  new SecretsManagerServiceException({ name, message: CANARY, $fault: 'client', $metadata: {} });

/** Loads a version of the API key, written at a time. */
function load(
  stage: 'AWSCURRENT' | 'AWSPREVIOUS',
  value: object | string | undefined,
  { writtenAtMs = NOON_MS, secretId = KEY_NAME } = {},
): void {
  aws.on(GetSecretValueCommand, { SecretId: secretId, VersionStage: stage }).resolves({
    SecretString: typeof value === 'object' ? JSON.stringify(value) : value,
    CreatedDate: new Date(writtenAtMs),
  });
}
const keyValue = (apiKey: string, validUntilMs = VALID_UNTIL_MS) => ({
  apiKey,
  validUntil: new Date(validUntilMs).toISOString(),
});
const accepted = (secret: string, acceptedUntilMs: number, mayWrite = true): AcceptedSecret => ({
  sha256: digestOf(secret),
  acceptedUntilMs,
  mayWrite,
});

describe('API keys', () => {
  test('are the current one, until its validity ends', async () => {
    load('AWSCURRENT', keyValue('key'));

    expect(await secrets.apiKeys(TENANT)).toEqual([accepted('key', VALID_UNTIL_MS)]);
  });

  test('are none where nothing is loaded, though a previous version were there', async () => {
    load('AWSPREVIOUS', keyValue('previous'));

    expect(await secrets.apiKeys(TENANT)).toEqual([]);
  });

  test.each<[string, object | string | undefined]>([
    ['has no end of its validity', { apiKey: 'key' }],
    ['has an end that is no time', { apiKey: 'key', validUntil: 'for ever' }],
    ['has an end that is null', { apiKey: 'key', validUntil: null }],
    ['has an end that is a number', { apiKey: 'key', validUntil: VALID_UNTIL_MS }],
    ['is empty', { apiKey: '', validUntil: new Date(VALID_UNTIL_MS).toISOString() }],
    ['is a number', { apiKey: 1, validUntil: new Date(VALID_UNTIL_MS).toISOString() }],
    ['is missing', { validUntil: new Date(VALID_UNTIL_MS).toISOString() }],
    ['is no JSON', 'by hand'],
    ['is null', 'null'],
    ['is a text', '"key"'],
    ['is binary', undefined],
  ])('are none where the current one %s', async (_, value) => {
    load('AWSCURRENT', value);

    expect(await secrets.apiKeys(TENANT)).toEqual([]);
  });

  test('are found in the adopted secret where there is one', async () => {
    const arn = 'arn:aws:secretsmanager:eu-west-2:111122223333:secret:old/key-AbCdEf';
    const deployment = restoringDeploymentOf();
    const [tenant] = deployment.tenants;
    const adopting = new SecretsManagerAcceptedSecrets(client, {
      ...deployment,
      tenants: [{ ...tenant!, adopted: { apiKey: arn } }],
    });
    load('AWSCURRENT', keyValue('adopted-key'), { secretId: arn });

    expect(await adopting.apiKeys(TENANT)).toEqual([accepted('adopted-key', VALID_UNTIL_MS)]);
  });
});

describe('the previous API key', () => {
  beforeEach(() => {
    load('AWSCURRENT', keyValue('key'), { writtenAtMs: NOON_MS - 3 * DAY_MS });
    load('AWSPREVIOUS', keyValue('previous'), { writtenAtMs: NOON_MS - 30 * DAY_MS });
  });

  test('is accepted for the grace, from the end of the rotation that replaced it', async () => {
    aws.on(DescribeSecretCommand, { SecretId: KEY_NAME }).resolves({ LastRotatedDate: new Date(NOON_MS) });

    expect(await secrets.apiKeys(TENANT)).toEqual([
      accepted('key', VALID_UNTIL_MS),
      accepted('previous', NOON_MS + DAY_MS),
    ]);
  });

  test('is accepted for the grace from the writing of the current one, where nothing has rotated since', async () => {
    for (const LastRotatedDate of [undefined, new Date(NOON_MS - 20 * DAY_MS)]) {
      aws.on(DescribeSecretCommand).resolves({ LastRotatedDate });

      const [, previous] = await secrets.apiKeys(TENANT);

      expect(previous).toEqual(accepted('previous', NOON_MS - 2 * DAY_MS));
    }
  });

  test('is not accepted beyond its own validity', async () => {
    aws.on(DescribeSecretCommand).resolves({ LastRotatedDate: new Date(NOON_MS) });
    load('AWSPREVIOUS', keyValue('previous', NOON_MS + 5_000));

    const [, previous] = await secrets.apiKeys(TENANT);

    expect(previous).toEqual(accepted('previous', NOON_MS + 5_000));
  });

  test('that is malformed leaves the current one as it is', async () => {
    aws.on(DescribeSecretCommand).resolves({ LastRotatedDate: new Date(NOON_MS) });
    load('AWSPREVIOUS', 'by hand');

    expect(await secrets.apiKeys(TENANT)).toEqual([accepted('key', VALID_UNTIL_MS)]);
  });
});

describe('content tokens', () => {
  const loadToken = (
    target: InterfaceScope,
    stage: 'AWSCURRENT' | 'AWSPREVIOUS',
    accessToken: string,
    expiresAtMs: number,
    of = TENANT_ID,
  ) => {
    const SecretId = `latchkey/staging/mea/${TENANT_ID}/token/${target.interface}/${target.scope.replace('/', '-')}`;
    const token = { accessToken, issuedAtMs: NOON_MS, expiresAtMs, credentialVersionId: 'c', writesMs: [] };
    const SecretString = serializeStoredToken(token, { ...keyOf(of), ...target });
    aws.on(GetSecretValueCommand, { SecretId, VersionStage: stage }).resolves({
      ARN: 'arn:x',
      VersionId: 'v1',
      SecretString,
    });
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

    expect(await secrets.contentTokens(TENANT, [READ, WRITE, ALL])).toEqual([
      accepted('read', NOON_MS + 1, false),
      accepted('write', NOON_MS + 2),
      accepted('write-before', NOON_MS + 3),
      accepted('all', NOON_MS + 4),
    ]);
  });

  test('of scopes that are not declared, or of webhooks, are not even looked for', async () => {
    loadToken(ALL, 'AWSCURRENT', 'all', NOON_MS + 1);
    loadToken(WEBHOOKS, 'AWSCURRENT', 'webhooks', NOON_MS + 1);

    expect(await secrets.contentTokens(TENANT, [READ, WEBHOOKS])).toEqual([]);
    expect(aws.commandCalls(GetSecretValueCommand).map(({ args }) => args[0].input.SecretId)).toEqual(
      Array(2).fill(`latchkey/staging/mea/${TENANT_ID}/token/content/api-read`),
    );
  });

  test('whose value names another tenant are none', async () => {
    loadToken(WRITE, 'AWSCURRENT', 'foreign', NOON_MS + 1, 'eu-west-2_Other');

    expect(await secrets.contentTokens(TENANT, [WRITE])).toEqual([]);
  });
});

describe('a failure of the store', () => {
  const readKeys = () => secrets.apiKeys(TENANT);
  const readTokens = () => secrets.contentTokens(TENANT, [{ interface: 'content', scope: 'api/write' }]);

  test.each([
    ['ThrottlingException', 'throttled'],
    ['AccessDeniedException', 'access_denied'],
    ['DecryptionFailure', 'access_denied'],
    ['InvalidRequestException', 'scheduled_for_deletion'],
    ['InternalServiceError', 'unavailable'],
  ])('%s is thrown as %s, and is no empty list', async (name, code) => {
    aws.on(GetSecretValueCommand).rejects(failed(name));

    for (const read of [readKeys, readTokens]) {
      const failure: unknown = await read().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreError);
      expect(failure).toMatchObject({ code });
      expect((failure as Error).message).not.toContain(CANARY);
    }
  });

  test('on the previous version or the description is thrown too', async () => {
    load('AWSCURRENT', keyValue('key'));
    load('AWSPREVIOUS', keyValue('previous'));
    aws.on(DescribeSecretCommand).rejects(failed('AccessDeniedException'));
    await expect(readKeys()).rejects.toThrow(`secretsmanager:DescribeSecret on ${KEY_NAME} was denied`);

    aws
      .on(GetSecretValueCommand, { SecretId: KEY_NAME, VersionStage: 'AWSPREVIOUS' })
      .rejects(failed('ThrottlingException'));
    await expect(readKeys()).rejects.toMatchObject({ code: 'throttled' });
  });
});
