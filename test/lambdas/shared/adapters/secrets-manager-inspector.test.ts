import { ListSecretVersionIdsCommand } from '@aws-sdk/client-secrets-manager';

import { type CredentialState, type KeyProof } from '../../../../core/deployment/deployment-snapshot';
import { judgedVersion, type ProofRecord, proofRecordTags } from '../../../../core/rotation/proof-record';
import { type CredentialKind, tokenSecretName } from '../../../../core/secrets/secret-names';
import { SecretsManagerInspector } from '../../../../lambdas/shared/adapters/secrets-manager-inspector';
import { serializeStoredToken } from '../../../../core/tokens/stored-token';
import { addVersion, type RotationRules, type Secret } from 'cdk-on-loopback/testing';
import {
  arnOf,
  clientOf,
  type Send,
  SimulatedSecretsManager,
} from '../../../support/aws/simulated-secrets-manager';
import { denialText } from '../../../support/lambdas/denial-text';
import { deploymentOf, KEY, TENANT_ID } from '../../../support/lambdas/token-functions';
import { NOON_MS, VirtualClock } from '../../../support/lambdas/virtual-clock';

const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID } as const;
const TARGET = { interface: 'content', scope: 'api/read' } as const;
const NAMES = {
  'client-credentials': `latchkey/staging/mea/${TENANT_ID}/client-credentials`,
  'api-key': `latchkey/staging/mea/${TENANT_ID}/api-key`,
};
const TOKEN_NAME = tokenSecretName('latchkey', KEY);
const [V1, V2] = ['1'.repeat(32), '2'.repeat(32)];
const CANARY = 'canary-value';
const HOUR_MS = 3_600_000;
const TIMEOUT_MS = 1_000;
const DAILY = 'cron(0 8 * * ? *)';

let secrets: SimulatedSecretsManager;
let inspector: SecretsManagerInspector;
beforeEach(() => {
  secrets = new SimulatedSecretsManager(new VirtualClock());
  for (const name of [...Object.values(NAMES), TOKEN_NAME]) secrets.create(name);
  inspector = new SecretsManagerInspector(clientOf(pagesOfOne), deploymentOf([TENANT_ID]));
});

/** AWS may end a page anywhere. */
const pagesOfOne: Send = (command) =>
  secrets.send(
    command instanceof ListSecretVersionIdsCommand
      ? new ListSecretVersionIdsCommand({ ...command.input, MaxResults: 1 })
      : command,
  );

const hoursAgoMs = (hours: number) => NOON_MS - hours * HOUR_MS;
const OF_V2 = judgedVersion(V2, hoursAgoMs(2));
const hoursAgo = (hours: number) => new Date(hoursAgoMs(hours)).toISOString();
const look = async (kind: CredentialKind = 'client-credentials', createdAtMs?: Map<string, number>) =>
  (await inspector.credential(TENANT, kind, TIMEOUT_MS, createdAtMs)) as CredentialState;
const operations = () => secrets.commands.map(({ operation }) => operation);

/** Adds a version with labels, created the given number of hours ago. */
function add(secret: Secret, versionId: string, labels: string[], hours: number, value = '{}'): void {
  const version = addVersion(secret, versionId, hoursAgoMs(hours));
  version.secretString = value;
  for (const label of labels) version.stages.add(label);
}

const neverRotated = () => secrets.secret(NAMES['client-credentials']);
/** The client credentials, rotated and changed the given numbers of hours ago. */
function rotated(rotatedHours: number, changedHours = rotatedHours): Secret {
  const secret = neverRotated();
  const lastRotatedAtMs = hoursAgoMs(rotatedHours);
  secret.rotation = { lambdaArn: 'arn', rules: {}, isEnabled: true, lastRotatedAtMs };
  secret.lastChangedAtMs = hoursAgoMs(changedHours);
  return secret;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html and API_ListSecretVersionIds.html
describe('a credential', () => {
  test('that was never loaded has no versions, and causes no more calls', async () => {
    expect(await look('api-key')).toEqual({
      kind: 'api-key',
      secretId: arnOf(NAMES['api-key']),
      access: 'ok',
      versions: [],
      rotationEnabled: false,
      rotationSchedule: 'none',
      changedAt: hoursAgo(0),
    });
    expect(operations()).toEqual(['DescribeSecret']);
  });

  test('that was not changed since its rotation is current since then, and causes no more calls', async () => {
    const secret = rotated(5);
    secret.rotation!.nextRotationAtMs = hoursAgoMs(-5);
    add(secret, V2, ['AWSCURRENT', 'LATCHKEY_PROVEN'], 6);
    add(secret, V1, ['AWSPREVIOUS'], 7);

    expect(await look()).toMatchObject({
      versions: [
        { versionId: V2, labels: ['AWSCURRENT', 'LATCHKEY_PROVEN'] },
        { versionId: V1, labels: ['AWSPREVIOUS'] },
      ],
      promotedAt: hoursAgo(5),
      rotationEnabled: true,
      nextRotationAt: hoursAgo(-5),
    });
    expect(operations()).toEqual(['DescribeSecret']);
  });

  // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotationRulesType.html
  test.each<[string, RotationRules, boolean, string]>([
    ['of its expression', { scheduleExpression: DAILY, automaticallyAfterDays: 1 }, true, DAILY],
    ['of its interval', { automaticallyAfterDays: 30 }, true, 'rate(30 days)'],
    ['none, if its interval is the longest', { automaticallyAfterDays: 1000 }, true, 'none'],
    ['none, if it never had rules', {}, true, 'none'],
    ['none, if rotation was cancelled', { scheduleExpression: DAILY }, false, 'none'],
  ])('has the rotation schedule %s', async (_, rules, isEnabled, rotationSchedule) => {
    Object.assign(rotated(5).rotation!, { rules, isEnabled });

    expect(await look()).toMatchObject({ rotationSchedule });
  });

  test.each<[string, () => Secret, number]>([
    ['was never rotated', neverRotated, 3],
    ['was written by hand after its rotation', () => rotated(9, 3), 3],
    ['was rotated to an older candidate', () => rotated(1, 0), 1],
  ])(
    'that %s is current since the later of both times, and its value is never read',
    async (_, arrange, hours) => {
      add(arrange(), V1, ['AWSCURRENT'], 3);

      expect(await look()).toMatchObject({
        versions: [{ versionId: V1, createdAt: hoursAgo(3) }],
        promotedAt: hoursAgo(hours),
      });
      expect(operations()).toEqual(['DescribeSecret', 'ListSecretVersionIds']);
    },
  );

  test.each(['AWSPENDING', 'LATCHKEY_CANDIDATE'])(
    'with a version labelled %s has all times, from any number of pages',
    async (label) => {
      const secret = rotated(5);
      add(secret, V1, ['AWSCURRENT'], 6);
      add(secret, V2, [label], 1);

      expect((await look()).versions).toEqual([
        { versionId: V1, labels: ['AWSCURRENT'], createdAt: hoursAgo(6) },
        { versionId: V2, labels: [label], createdAt: hoursAgo(1) },
      ]);
    },
  );

  test.each<[string, string[], Map<string, number> | undefined]>([
    ['with AWSPENDING on the current version, as AWS leaves it,', ['AWSCURRENT', 'AWSPENDING'], undefined],
    ['whose creation a token tells', ['AWSCURRENT'], new Map([[V1, hoursAgoMs(6)]])],
  ])('%s causes no list of its versions', async (_, labels, createdAtMs) => {
    add(createdAtMs === undefined ? rotated(5) : neverRotated(), V1, labels, 6);

    const seen = await look('client-credentials', createdAtMs);

    expect(operations()).toEqual(['DescribeSecret']);
    if (createdAtMs !== undefined) expect(seen).toEqual(await look());
  });

  test('whose token tells of another version is listed', async () => {
    add(neverRotated(), V1, ['AWSCURRENT'], 3);

    await look('client-credentials', new Map([[V2, hoursAgoMs(3)]]));

    expect(operations()).toEqual(['DescribeSecret', 'ListSecretVersionIds']);
  });

  test('that was adopted is read by its ARN', async () => {
    const deployment = deploymentOf([TENANT_ID]);
    deployment.tenants[0]!.adopted = { apiKey: arnOf('key'), clientCredentials: arnOf('client') };
    const adopting = new SecretsManagerInspector(clientOf(secrets.send), deployment);

    await adopting.credential(TENANT, 'api-key', TIMEOUT_MS);
    await adopting.credential(TENANT, 'client-credentials', TIMEOUT_MS);

    expect(secrets.commands.map(({ secretId }) => secretId)).toEqual([arnOf('key'), arnOf('client')]);
  });
});

describe('an API key', () => {
  const load = (value: string) => add(secrets.secret(NAMES['api-key']), V1, ['AWSCURRENT'], 2, value);

  test('shows its expiry and creation time, and nothing else of its value', async () => {
    load(JSON.stringify({ apiKey: CANARY, validUntil: hoursAgo(0) }));

    const state = await look('api-key');

    expect(state).toMatchObject({ validUntil: hoursAgo(0), promotedAt: hoursAgo(2) });
    expect(JSON.stringify(state)).not.toContain(CANARY);
    expect(operations()).toEqual(['DescribeSecret', 'GetSecretValue']);
  });

  test('that has an invalid expiry shows nothing of its value', async () => {
    load(JSON.stringify({ apiKey: CANARY, validUntil: CANARY }));

    const state = await look('api-key');

    expect(state).not.toHaveProperty('validUntil');
    expect(JSON.stringify(state)).not.toContain(CANARY);
  });

  test.each<[KeyProof, Partial<ProofRecord>]>([
    [{ current: 'proven', isServed: true }, { proven: [OF_V2] }],
    [{ current: 'refused', isServed: false }, { refused: OF_V2 }],
    [{ current: 'unproven', isServed: false }, {}],
  ])('shows %j by its record, without another call', async (proof, record) => {
    const key = secrets.secret(NAMES['api-key']);
    key.tags = proofRecordTags({ proven: [], refused: undefined, ...record });
    add(key, V2, ['AWSCURRENT'], 2, JSON.stringify({ apiKey: CANARY, validUntil: hoursAgo(-1) }));

    expect((await look('api-key')).proof).toEqual(proof);
    expect(operations()).toEqual(['DescribeSecret', 'GetSecretValue']);
  });

  // JavaScript parses 'canary-value 1' as a time.
  test('whose expiry contains other words shows only the time', async () => {
    load(JSON.stringify({ apiKey: 'k', validUntil: `${CANARY} 1` }));

    expect((await look('api-key')).validUntil).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

const stored = {
  accessToken: CANARY,
  issuedAtMs: NOON_MS,
  expiresAtMs: NOON_MS + HOUR_MS,
  credentialVersionId: 'credential-1',
  writesMs: [],
};

describe('a token', () => {
  test('shows everything except the token itself', async () => {
    secrets.put(TOKEN_NAME, serializeStoredToken(stored, KEY), V1);

    expect(await inspector.token(TENANT, TARGET, TIMEOUT_MS)).toEqual({
      ...TARGET,
      secretId: arnOf(TOKEN_NAME),
      access: 'ok',
      token: {
        versionId: V1,
        issuedAt: hoursAgo(0),
        expiresAt: hoursAgo(-1),
        credentialVersionId: 'credential-1',
      },
    });
  });

  test('of another key is left out, as is a missing one', async () => {
    const none = await inspector.token(TENANT, TARGET, TIMEOUT_MS);
    secrets.put(TOKEN_NAME, serializeStoredToken(stored, { ...KEY, tenantId: 'other' }));
    const foreign = await inspector.token(TENANT, TARGET, TIMEOUT_MS);

    expect(none).toEqual({ ...TARGET, secretId: TOKEN_NAME, access: 'ok' });
    expect(foreign).toEqual({ ...TARGET, secretId: arnOf(TOKEN_NAME), access: 'ok' });
  });
});

describe('a secret that cannot be inspected is part of the result', () => {
  const name = NAMES['client-credentials'];
  const describing = 'secretsmanager:DescribeSecret';

  test.each<[string, string, string, object]>([
    ['missing', 'ResourceNotFoundException', CANARY, { access: 'missing' }],
    // Permissions on ARNs do not cover the bare name, and AWS has no ARN for a secret that does not exist.
    ['missing, by ARNs', 'AccessDeniedException', denialText(describing, name), { access: 'missing' }],
    [
      'denied',
      'AccessDeniedException',
      denialText(describing, arnOf(name)),
      { access: 'denied', action: describing, resource: arnOf(name) },
    ],
    [
      'denied by the key',
      'DecryptionFailure',
      CANARY,
      { access: 'denied', action: 'kms:Decrypt', resource: `the key of ${name}` },
    ],
    ['throttled', 'ThrottlingException', CANARY, { access: 'unavailable' }],
    ['unreachable', 'TimeoutError', CANARY, { access: 'unavailable' }],
  ])('%s', async (_, exception, message, failure) => {
    secrets.faults.push({ operation: 'DescribeSecret', name: exception, message });

    const state = await look();

    expect(state).toMatchObject({ kind: 'client-credentials', secretId: name, ...failure });
    expect(JSON.stringify(state)).not.toContain(CANARY);
  });

  test('scheduled for deletion', async () => {
    for (const each of [name, TOKEN_NAME]) secrets.secret(each).deletedAtMs = NOON_MS;

    for (const seen of [await look(), await inspector.token(TENANT, TARGET, TIMEOUT_MS)]) {
      expect(seen).toMatchObject({ access: 'scheduled_for_deletion' });
    }
  });

  test.each<[CredentialKind, string]>([
    ['client-credentials', 'ListSecretVersionIds'],
    ['api-key', 'GetSecretValue'],
  ])('denied in part: names the missing permission of %s', async (kind, operation) => {
    add(secrets.secret(NAMES[kind]), V1, ['AWSCURRENT'], 1);
    const action = `secretsmanager:${operation}`;
    const message = denialText(action, arnOf(NAMES[kind]));
    secrets.faults.push({ operation, name: 'AccessDeniedException', message });

    expect(await look(kind)).toMatchObject({ access: 'denied', action });
  });
});

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_BatchGetSecretValue.html
describe('secrets that are inspected at the same time', () => {
  const TOKENS = 45;
  const tenantIds = Array.from({ length: TOKENS }, (_, n) => `tenant-${n}`);
  const keyOf = (tenantId: string) => ({ ...TENANT, ...TARGET, tenantId });
  const nameOf = (tenantId: string) => tokenSecretName('latchkey', keyOf(tenantId));
  const read = () =>
    Promise.all(tenantIds.map((tenantId) => inspector.token({ ...TENANT, tenantId }, TARGET, TIMEOUT_MS)));
  beforeEach(() => {
    for (const tenantId of tenantIds) {
      secrets.create(nameOf(tenantId));
      const token = { ...stored, credentialCreatedAtMs: hoursAgoMs(3) };
      secrets.put(nameOf(tenantId), serializeStoredToken(token, keyOf(tenantId)));
    }
  });

  test('are read 20 with a call, each its own token', async () => {
    const seen = await read();

    expect(operations()).toEqual(Array(3).fill('BatchGetSecretValue'));
    expect(seen).toMatchObject(
      tenantIds.map((tenantId) => ({
        secretId: arnOf(nameOf(tenantId)),
        access: 'ok',
        token: { credentialCreatedAt: hoursAgo(3) },
      })),
    );
  });

  test('are read one by one without the permission, which is asked for once', async () => {
    secrets.faults.push({ operation: 'BatchGetSecretValue', name: 'AccessDeniedException', times: Infinity });

    const seen = await read();
    expect(await read()).toEqual(seen);

    expect(seen.every((token) => token.access === 'ok' && token.token !== undefined)).toBe(true);
    expect(secrets.commandsOf('BatchGetSecretValue')).toHaveLength(3);
    expect(secrets.commandsOf('GetSecretValue')).toHaveLength(2 * TOKENS);
  });

  test('are read one by one where a batch is throttled, and together the next time', async () => {
    secrets.faults.push({ operation: 'BatchGetSecretValue', name: 'ThrottlingException', times: 1 });

    await read();
    expect(secrets.commandsOf('GetSecretValue')).toHaveLength(20);
    await read();
    expect(secrets.commandsOf('BatchGetSecretValue')).toHaveLength(6);
  });

  test('have the errors of a single read, and do not hide the others', async () => {
    secrets.secret(nameOf('tenant-3')).deletedAtMs = NOON_MS;
    secrets.account.secrets.delete(arnOf(nameOf('tenant-4')));
    secrets.create(nameOf('tenant-5'));

    const seen = await read();

    expect(seen.slice(3, 6).map(({ access }) => access)).toEqual(['scheduled_for_deletion', 'ok', 'ok']);
    const withToken = seen
      .map((token, index) => ('token' in token ? index : -1))
      .filter((index) => index >= 0);
    expect(withToken).toEqual(tenantIds.map((_, index) => index).filter((index) => index < 3 || index > 5));
  });

  test('wait for each other’s descriptions, and go on if one of those fails', async () => {
    add(secrets.secret(NAMES['api-key']), V1, ['AWSCURRENT'], 1);
    const client = clientOf(secrets.send);
    inspector = new SecretsManagerInspector(client, deploymentOf([TENANT_ID, 'absent']));

    const seen = await Promise.all([
      inspector.credential(TENANT, 'api-key', TIMEOUT_MS),
      inspector.credential({ ...TENANT, tenantId: 'absent' }, 'api-key', TIMEOUT_MS),
      inspector.token({ ...TENANT, tenantId: 'tenant-1' }, TARGET, TIMEOUT_MS),
    ]);

    expect(seen.map(({ access }) => access)).toEqual(['ok', 'missing', 'ok']);
    expect(operations()).toEqual(['DescribeSecret', 'DescribeSecret', 'BatchGetSecretValue']);
  });
});

test('an inspection, including all its calls, ends at its timeout', async () => {
  const secret = secrets.secret(NAMES['api-key']);
  add(secret, V1, ['AWSCURRENT'], 1);
  add(secret, V2, ['LATCHKEY_CANDIDATE'], 1);
  const client = clientOf(secrets.send);
  const send = jest.spyOn(client, 'send');
  const timed = new SecretsManagerInspector(client, deploymentOf([TENANT_ID]));

  await timed.credential(TENANT, 'api-key', TIMEOUT_MS);
  await timed.token(TENANT, TARGET, TIMEOUT_MS);

  const signals = send.mock.calls.map(
    (args: unknown[]) => (args[1] as { abortSignal?: AbortSignal }).abortSignal,
  );
  expect(signals).toEqual(Array(4).fill(expect.any(AbortSignal)));
  expect(new Set(signals.slice(0, 3)).size).toBe(1);
});
