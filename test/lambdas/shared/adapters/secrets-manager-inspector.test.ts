import {
  DescribeSecretCommand,
  type DescribeSecretResponse,
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';

import { type CredentialState } from '../../../../contract/credential-watch';
import { type CredentialKind } from '../../../../contract/secret-names';
import { SecretsManagerInspector } from '../../../../lambdas/shared/adapters/secrets-manager-inspector';
import { serializeStoredToken } from '../../../../lambdas/shared/domain/stored-token';
import { deploymentOf, KEY, TENANT_ID } from '../../../support/lambdas/token-functions';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';

const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID } as const;
const TARGET = { interface: 'content', scope: 'api/read' } as const;
const ARN = 'arn:aws:secretsmanager:eu-west-2:111122223333:secret:x-AbCdEf';
const CANARY = 'canary-value';
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 1_000;

const aws = mockClient(SecretsManagerClient);
const inspector = new SecretsManagerInspector(
  new SecretsManagerClient({ region: 'eu-west-2' }),
  deploymentOf([TENANT_ID]),
);
beforeEach(() => aws.reset());

const hoursAgo = (hours: number) => new Date(NOON_MS - hours * HOUR_MS);
const failed = (name: string, message: string = CANARY) =>
  new SecretsManagerServiceException({ name, message, $fault: 'client', $metadata: {} });
const look = async (kind: CredentialKind = 'client-credentials') =>
  (await inspector.credential(TENANT, kind, TIMEOUT_MS)) as CredentialState;
const described = (answer: DescribeSecretResponse) =>
  aws.on(DescribeSecretCommand).resolves({ ARN, ...answer });
const versionTimes = (hoursById: Record<string, number>) =>
  aws.on(ListSecretVersionIdsCommand).resolves({
    Versions: Object.entries(hoursById).map(([VersionId, hours]) => ({
      VersionId,
      CreatedDate: hoursAgo(hours),
    })),
  });

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html and API_ListSecretVersionIds.html
describe('a credential', () => {
  test('that was never loaded has no versions, and no more is asked', async () => {
    described({});

    expect(await look('api-key')).toEqual({
      kind: 'api-key',
      secretId: ARN,
      access: 'ok',
      versions: [],
      rotationEnabled: false,
    });
    expect(aws.commandCalls(GetSecretValueCommand)).toHaveLength(0);
    expect(aws.commandCalls(ListSecretVersionIdsCommand)).toHaveLength(0);
  });

  test('that was not changed since its rotation is current since then, and no more is asked', async () => {
    described({
      VersionIdsToStages: { v2: ['AWSCURRENT', 'LATCHKEY_PROVEN'], v1: ['AWSPREVIOUS'] },
      RotationEnabled: true,
      LastRotatedDate: hoursAgo(5),
      LastChangedDate: hoursAgo(5),
      NextRotationDate: hoursAgo(-5),
    });

    expect(await look()).toMatchObject({
      versions: [
        { versionId: 'v2', labels: ['AWSCURRENT', 'LATCHKEY_PROVEN'] },
        { versionId: 'v1', labels: ['AWSPREVIOUS'] },
      ],
      promotedAt: hoursAgo(5).toISOString(),
      rotationEnabled: true,
      nextRotationAt: hoursAgo(-5).toISOString(),
    });
    expect(aws.commandCalls(ListSecretVersionIdsCommand)).toHaveLength(0);
  });

  test.each<[string, DescribeSecretResponse, number]>([
    ['was never rotated', {}, 3],
    [
      'was written by hand after its rotation',
      { LastRotatedDate: hoursAgo(9), LastChangedDate: hoursAgo(3) },
      3,
    ],
    [
      'was rotated to what was staged before',
      { LastRotatedDate: hoursAgo(1), LastChangedDate: hoursAgo(0) },
      1,
    ],
  ])('that %s is current since the later of both', async (_, dates, hours) => {
    described({ VersionIdsToStages: { v1: ['AWSCURRENT'] }, ...dates });
    versionTimes({ v1: 3 });

    expect(await look()).toMatchObject({
      versions: [{ versionId: 'v1', createdAt: hoursAgo(3).toISOString() }],
      promotedAt: hoursAgo(hours).toISOString(),
    });
  });

  test.each([['AWSPENDING'], ['LATCHKEY_CANDIDATE']])(
    'with a version labelled %s has all times',
    async (label) => {
      const dates = { LastRotatedDate: hoursAgo(5), LastChangedDate: hoursAgo(5) };
      described({ VersionIdsToStages: { v1: ['AWSCURRENT'], v2: [label] }, ...dates });
      versionTimes({ v1: 6, v2: 1 });

      expect((await look()).versions).toEqual([
        { versionId: 'v1', labels: ['AWSCURRENT'], createdAt: hoursAgo(6).toISOString() },
        { versionId: 'v2', labels: [label], createdAt: hoursAgo(1).toISOString() },
      ]);
    },
  );

  test('with AWSPENDING on the current version, as AWS leaves it, needs no times', async () => {
    const dates = { LastRotatedDate: hoursAgo(5), LastChangedDate: hoursAgo(5) };
    described({ VersionIdsToStages: { v1: ['AWSCURRENT', 'AWSPENDING'] }, ...dates });

    await look();

    expect(aws.commandCalls(ListSecretVersionIdsCommand)).toHaveLength(0);
  });

  test('with versions on several pages has the times of all', async () => {
    described({ VersionIdsToStages: { v1: ['AWSCURRENT'], v2: ['LATCHKEY_CANDIDATE'] } });
    aws
      .on(ListSecretVersionIdsCommand)
      .resolvesOnce({ Versions: [{ VersionId: 'v1', CreatedDate: hoursAgo(6) }], NextToken: 'next' })
      .resolvesOnce({ Versions: [{ VersionId: 'v2', CreatedDate: hoursAgo(1) }] });

    expect((await look()).versions.map(({ createdAt }) => createdAt)).toEqual([
      hoursAgo(6).toISOString(),
      hoursAgo(1).toISOString(),
    ]);
    expect(aws.commandCalls(ListSecretVersionIdsCommand)[1]!.args[0].input.NextToken).toBe('next');
  });

  test('of the client is never read', async () => {
    described({ VersionIdsToStages: { v1: ['AWSCURRENT'] } });
    versionTimes({ v1: 1 });

    await look();

    expect(aws.commandCalls(GetSecretValueCommand)).toHaveLength(0);
  });

  test('that was adopted is looked for by its ARN', async () => {
    const deployment = deploymentOf([TENANT_ID]);
    const adopting = new SecretsManagerInspector(new SecretsManagerClient({ region: 'eu-west-2' }), {
      ...deployment,
      tenants: [
        { ...deployment.tenants[0]!, adopted: { apiKey: 'arn:key', clientCredentials: 'arn:client' } },
      ],
    });
    described({});

    await adopting.credential(TENANT, 'api-key', TIMEOUT_MS);
    await adopting.credential(TENANT, 'client-credentials', TIMEOUT_MS);

    const asked = aws.commandCalls(DescribeSecretCommand).map(({ args }) => args[0].input.SecretId);
    expect(asked).toEqual(['arn:key', 'arn:client']);
  });
});

describe('an API key', () => {
  const validUntil = new Date(NOON_MS).toISOString();
  const load = (value: string) => {
    described({ VersionIdsToStages: { v1: ['AWSCURRENT'] } });
    aws
      .on(GetSecretValueCommand)
      .resolves({ SecretString: value, VersionId: 'v1', CreatedDate: hoursAgo(2) });
  };

  test('shows the end of its validity and its time, and nothing else of its value', async () => {
    load(JSON.stringify({ apiKey: CANARY, validUntil }));

    const state = await look('api-key');

    expect(state).toMatchObject({ validUntil, promotedAt: hoursAgo(2).toISOString() });
    expect(JSON.stringify(state)).not.toContain(CANARY);
    expect(aws.commandCalls(ListSecretVersionIdsCommand)).toHaveLength(0);
  });

  test.each([
    ['is no JSON', CANARY],
    ['has no end of its validity', JSON.stringify({ apiKey: CANARY })],
    ['has an end that is no time', JSON.stringify({ apiKey: CANARY, validUntil: CANARY })],
  ])('that %s shows nothing of its value', async (_, value) => {
    load(value);

    const state = await look('api-key');

    expect(state).not.toHaveProperty('validUntil');
    expect(JSON.stringify(state)).not.toContain(CANARY);
  });

  // JavaScript takes 'canary-value 1' for a time.
  test('whose end holds other words besides shows the time alone', async () => {
    load(JSON.stringify({ apiKey: 'k', validUntil: `${CANARY} 1` }));

    expect((await look('api-key')).validUntil).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

describe('a token', () => {
  const stored = {
    accessToken: CANARY,
    issuedAtMs: NOON_MS,
    expiresAtMs: NOON_MS + HOUR_MS,
    credentialVersionId: 'credential-1',
    writesMs: [],
  };

  test('shows everything but itself', async () => {
    aws
      .on(GetSecretValueCommand)
      .resolves({ ARN, VersionId: 't1', SecretString: serializeStoredToken(stored, KEY) });

    expect(await inspector.token(TENANT, TARGET, TIMEOUT_MS)).toEqual({
      ...TARGET,
      secretId: ARN,
      access: 'ok',
      token: {
        versionId: 't1',
        issuedAt: new Date(NOON_MS).toISOString(),
        expiresAt: new Date(NOON_MS + HOUR_MS).toISOString(),
        credentialVersionId: 'credential-1',
      },
    });
  });

  test('of another key, or none, is not there', async () => {
    const foreign = serializeStoredToken(stored, { ...KEY, tenantId: 'other' });
    aws.on(GetSecretValueCommand).resolvesOnce({ ARN, VersionId: 't1', SecretString: foreign });
    expect(await inspector.token(TENANT, TARGET, TIMEOUT_MS)).toEqual({
      ...TARGET,
      secretId: ARN,
      access: 'ok',
    });

    aws.on(GetSecretValueCommand).rejects(failed('ResourceNotFoundException'));
    const name = `latchkey/staging/mea/${TENANT_ID}/token/content/api-read`;
    expect(await inspector.token(TENANT, TARGET, TIMEOUT_MS)).toEqual({
      ...TARGET,
      secretId: name,
      access: 'ok',
    });
  });
});

const denied = (action: string, resource: string) =>
  failed(
    'AccessDeniedException',
    `User: arn:aws:sts::1:assumed-role/r is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
  );

describe('a secret that cannot be looked at is an answer', () => {
  const name = `latchkey/staging/mea/${TENANT_ID}/client-credentials`;

  test.each<[string, Error, object]>([
    ['missing', failed('ResourceNotFoundException'), { access: 'missing' }],
    // A right on ARNs does not cover the bare name, which is all that AWS has of a secret that does not exist.
    ['missing, under rights on ARNs', denied('secretsmanager:DescribeSecret', name), { access: 'missing' }],
    [
      'denied',
      denied('secretsmanager:DescribeSecret', ARN),
      { access: 'denied', action: 'secretsmanager:DescribeSecret', resource: ARN },
    ],
    [
      'denied by the key',
      failed('DecryptionFailure'),
      { access: 'denied', action: 'kms:Decrypt', resource: `the key of ${name}` },
    ],
    ['throttled', failed('ThrottlingException'), { access: 'unavailable' }],
    ['not reachable', Object.assign(new Error(CANARY), { name: 'TimeoutError' }), { access: 'unavailable' }],
  ])('%s', async (_, error, failure) => {
    aws.on(DescribeSecretCommand).rejects(error);

    const state = await look();

    expect(state).toMatchObject({ kind: 'client-credentials', secretId: name, ...failure });
    expect(JSON.stringify(state)).not.toContain(CANARY);
  });

  test('scheduled for deletion', async () => {
    described({ DeletedDate: hoursAgo(-24) });
    expect(await look()).toMatchObject({ secretId: ARN, access: 'scheduled_for_deletion' });

    aws.on(GetSecretValueCommand).rejects(failed('InvalidRequestException'));
    expect(await inspector.token(TENANT, TARGET, TIMEOUT_MS)).toMatchObject({
      access: 'scheduled_for_deletion',
    });
  });

  test('denied in part: the right that is missing is named', async () => {
    described({ VersionIdsToStages: { v1: ['AWSCURRENT'] } });
    aws.on(ListSecretVersionIdsCommand).rejects(denied('secretsmanager:ListSecretVersionIds', ARN));
    aws.on(GetSecretValueCommand).rejects(denied('secretsmanager:GetSecretValue', ARN));

    expect(await look()).toMatchObject({ access: 'denied', action: 'secretsmanager:ListSecretVersionIds' });
    expect(await look('api-key')).toMatchObject({
      access: 'denied',
      action: 'secretsmanager:GetSecretValue',
    });
  });
});

test('a look ends with all its calls when its time is over', async () => {
  described({ VersionIdsToStages: { v1: ['AWSCURRENT'], v2: ['LATCHKEY_CANDIDATE'] } });
  versionTimes({ v1: 1, v2: 1 });
  aws.on(GetSecretValueCommand).resolves({ SecretString: '{}' });

  await look('api-key');
  await inspector.token(TENANT, TARGET, TIMEOUT_MS);

  // The mock passes on what each call was sent with.
  const signals = aws
    .calls()
    .map(({ args }) => (args as unknown as [unknown, { abortSignal?: AbortSignal }])[1].abortSignal);
  expect(signals).toEqual(Array(4).fill(expect.any(AbortSignal)));
  expect(new Set(signals.slice(0, 3)).size).toBe(1);
});
