import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';

import { SecretsManagerTokenReader } from '../../../../lambdas/shared/adapters/secrets-manager-token-reader';
import { StoreError } from '../../../../lambdas/shared/domain/store-error';
import { serializeStoredToken } from '../../../../lambdas/shared/domain/stored-token';
import { KEY } from '../../../support/lambdas/token-functions';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';

const NAME = 'latchkey/staging/mea/eu-west-2_Acme/token/content/api-read';
const CANARY = 'canary-token';
const VERSION = { ARN: 'arn:x', VersionId: 'v1' };
const TOKEN = {
  accessToken: CANARY,
  issuedAtMs: NOON_MS,
  expiresAtMs: NOON_MS + 3_600_000,
  credentialVersionId: 'credential-1',
  writesMs: [],
};

const aws = mockClient(SecretsManagerClient);
const reader = new SecretsManagerTokenReader(new SecretsManagerClient({ region: 'eu-west-2' }), 'latchkey');
beforeEach(() => aws.reset());

test.each(['AWSCURRENT', 'AWSPREVIOUS'] as const)(
  'reads the version %s by the name of the key',
  async (stage) => {
    aws.on(GetSecretValueCommand).resolves({ ...VERSION, SecretString: serializeStoredToken(TOKEN, KEY) });

    const version = await reader.read(KEY, stage);

    expect(version).toEqual({ secretArn: 'arn:x', versionId: 'v1', token: TOKEN });
    expect(aws.calls().map(({ args }) => args[0].input)).toEqual([{ SecretId: NAME, VersionStage: stage }]);
  },
);

test.each<[string, string | undefined]>([
  ['of another tenant', serializeStoredToken(TOKEN, { ...KEY, tenantId: 'other' })],
  ['of another scope', serializeStoredToken(TOKEN, { ...KEY, interface: 'content', scope: 'api/all' })],
  ['no JSON', 'by hand'],
  ['binary', undefined],
])('has no token where the value is %s', async (_, SecretString) => {
  aws.on(GetSecretValueCommand).resolves({ ...VERSION, SecretString });

  expect((await reader.read(KEY, 'AWSCURRENT'))?.token).toBeUndefined();
});

test('has nothing where there is no such version', async () => {
  aws.on(GetSecretValueCommand).rejects(new ResourceNotFoundException({ message: CANARY, $metadata: {} }));

  expect(await reader.read(KEY, 'AWSPREVIOUS')).toBeUndefined();
});

test.each([
  ['ThrottlingException', 'throttled'],
  ['AccessDeniedException', 'access_denied'],
  ['InvalidRequestException', 'scheduled_for_deletion'],
  ['InternalServiceError', 'unavailable'],
])('fails with %s as %s', async (name, code) => {
  const error = new SecretsManagerServiceException({
    name,
    message: CANARY,
    $fault: 'client',
    $metadata: {},
  });
  aws.on(GetSecretValueCommand).rejects(error);

  const failure: unknown = await reader.read(KEY, 'AWSCURRENT').catch((reason: unknown) => reason);

  expect(failure).toBeInstanceOf(StoreError);
  expect(failure).toMatchObject({ code });
  expect((failure as Error).message).not.toContain(CANARY);
});
