import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';

import { SecretsManagerCredentialStore } from '../../../../lambdas/shared/adapters/secrets-manager-credential-store';
import { type StoreError } from '../../../../lambdas/shared/domain/store-error';
import { deploymentOf, KEY } from '../../../support/lambdas/token-functions';

const NAME = 'latchkey/staging/mea/eu-west-2_Acme/client-credentials';
const ADOPTED_ARN = 'arn:aws:secretsmanager:eu-west-2:111122223333:secret:theirs-AbCdEf';
const ADOPTING = { ...KEY, tenantId: 'eu-west-2_Adopted' };
const CANARY = 'canary-secret';
const VALUE = JSON.stringify({ clientId: 'id', clientSecret: CANARY });

const deployment = deploymentOf([KEY.tenantId, ADOPTING.tenantId]);
deployment.tenants[1]!.adopted = { clientCredentials: ADOPTED_ARN };
const aws = mockClient(SecretsManagerClient);
const store = new SecretsManagerCredentialStore(
  new SecretsManagerClient({ region: 'eu-west-2' }),
  deployment,
);
beforeEach(() => aws.reset());

const NOT_FOUND = new ResourceNotFoundException({ message: 'no AWSCURRENT', $metadata: {} });
const failed = (name: string) =>
  new SecretsManagerServiceException({ name, message: CANARY, $fault: 'client', $metadata: {} });
const failureOf = (call: Promise<unknown>) => call.then(fail, (error: StoreError) => error);
// README.md, "Deploy it to an account", step 3
const howToLoad = (tenantId: string) =>
  `to load them, run latchkey credentials put --environment staging --platform-region mea --tenant ${tenantId}`;
function fail(): never {
  throw new Error('the call succeeded');
}

const FAILURES = [
  ['ThrottlingException', 'throttled'],
  ['AccessDeniedException', 'access_denied'],
  ['DecryptionFailure', 'access_denied'],
  ['InvalidRequestException', 'scheduled_for_deletion'],
  ['InternalServiceError', 'unavailable'],
] as const;

describe('reading client credentials', () => {
  test.each([
    ['by the name of the tenant', KEY, NAME],
    ['by the ARN of an adopted secret', ADOPTING, ADOPTED_ARN],
    [
      'by name where the deployment does not know the tenant',
      { ...KEY, tenantId: 'x' },
      NAME.replace(KEY.tenantId, 'x'),
    ],
  ])('asks for the current version %s', async (_, tenant, secretId) => {
    aws.on(GetSecretValueCommand).resolves({ SecretString: VALUE, VersionId: 'v1' });

    const credentials = await store.read(tenant);

    expect(credentials).toEqual({ clientId: 'id', clientSecret: CANARY, versionId: 'v1' });
    expect(aws.calls().map(({ args }) => args[0].input)).toEqual([{ SecretId: secretId }]);
  });

  test.each([
    [KEY, NAME],
    [ADOPTING, ADOPTED_ARN],
  ])('says how to load them where nothing was loaded yet', async (tenant, secretId) => {
    aws.on(GetSecretValueCommand).rejects(NOT_FOUND);

    expect(await failureOf(store.read(tenant))).toMatchObject({
      code: 'not_loaded',
      fault: 'not_loaded',
      message: `no client credentials are loaded in ${secretId}; ${howToLoad(tenant.tenantId)}`,
    });
    expect(aws.calls()).toHaveLength(1);
  });

  test.each<[string, string | undefined]>([
    ['the bare secret', CANARY],
    ['cut JSON', `{"clientId":"id","clientSecret":"${CANARY}`],
    ['other fields', JSON.stringify({ client_id: 'id', client_secret: CANARY })],
    ['no secret', JSON.stringify({ clientId: CANARY })],
    ['a secret that is no text', JSON.stringify({ clientId: CANARY, clientSecret: 7 })],
    ['null', 'null'],
    ['a text', JSON.stringify(CANARY)],
    ['nothing', ''],
    ['bytes', undefined],
  ])('says how to load them, without repeating it, where the secret holds %s', async (_, SecretString) => {
    aws.on(GetSecretValueCommand).resolves({ SecretString, VersionId: 'v1' });

    const failure = await failureOf(store.read(KEY));

    expect(failure).toMatchObject({
      code: 'not_loaded',
      fault: 'credential_malformed',
      message: `${NAME} holds no client credentials; ${howToLoad(KEY.tenantId)}`,
    });
    expect(`${failure.stack} ${JSON.stringify(failure.cause)}`).not.toContain(CANARY);
  });

  test.each(FAILURES)('fails with %s as %s', async (name, code) => {
    aws.on(GetSecretValueCommand).rejects(failed(name));

    const failure = await failureOf(store.read(KEY));

    expect(failure).toMatchObject({ code, message: expect.stringContaining('GetSecretValue') as string });
    expect(failure.message).not.toContain(CANARY);
  });
});

describe('looking for the current version of client credentials', () => {
  test('describes the secret, and never reads its value', async () => {
    aws.on(DescribeSecretCommand).resolves({
      VersionIdsToStages: {
        v1: ['AWSPREVIOUS'],
        v2: ['AWSCURRENT', 'AWSPENDING'],
        v3: ['LATCHKEY_CANDIDATE'],
      },
    });

    expect(await store.currentVersionId(ADOPTING)).toBe('v2');
    expect(aws.calls().map(({ args }) => args[0])).toEqual([expect.any(DescribeSecretCommand)]);
    expect(aws.calls()[0]?.args[0].input).toEqual({ SecretId: ADOPTED_ARN });
  });

  test.each<[string, Record<string, string[]> | undefined]>([
    ['no version', undefined],
    ['only a candidate', { v1: ['LATCHKEY_CANDIDATE'] }],
    ['only a pending version', { v1: ['AWSPENDING'] }],
  ])('finds none where there is %s', async (_, VersionIdsToStages) => {
    aws.on(DescribeSecretCommand).resolves({ VersionIdsToStages });

    expect(await store.currentVersionId(KEY)).toBeUndefined();
  });

  test('finds none where there is no secret', async () => {
    aws.on(DescribeSecretCommand).rejects(NOT_FOUND);

    expect(await store.currentVersionId(KEY)).toBeUndefined();
  });

  test.each(FAILURES)('fails with %s as %s', async (name, code) => {
    aws.on(DescribeSecretCommand).rejects(failed(name));

    const failure = await failureOf(store.currentVersionId(KEY));

    expect(failure).toMatchObject({ code, message: expect.stringContaining('DescribeSecret') as string });
  });
});

test('every call ends with the time that it is given, all its repetitions included', async () => {
  aws.on(GetSecretValueCommand).resolves({ SecretString: VALUE, VersionId: 'v1' });
  aws.on(DescribeSecretCommand).resolves({});

  await store.read(KEY, 60_000);
  await store.currentVersionId(KEY, 60_000);

  const options = aws.calls().map(({ args }: { args: unknown[] }) => args[1]);
  expect(options).toEqual(Array(2).fill({ abortSignal: expect.any(AbortSignal) as unknown }));
});
