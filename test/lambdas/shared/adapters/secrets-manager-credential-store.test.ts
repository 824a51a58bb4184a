import { credentialSecretName } from '../../../../core/secrets/secret-names';
import { SecretsManagerCredentialStore } from '../../../../lambdas/shared/adapters/secrets-manager-credential-store';
import { type StoreError } from '../../../../core/secrets/store-error';
import { addVersion } from 'cdk-on-loopback/testing';
import { arnOf, clientOf, SimulatedSecretsManager } from '../../../support/aws/simulated-secrets-manager';
import { denialText } from '../../../support/lambdas/denial-text';
import { failureOf as rejectionOf } from '../../../support/lambdas/failure-of';
import { deploymentOf, KEY } from '../../../support/lambdas/token-functions';
import { NOON_MS, VirtualClock } from '../../../support/lambdas/virtual-clock';

const NAME = credentialSecretName('latchkey', KEY, 'client-credentials');
const ADOPTING = { ...KEY, tenantId: 'eu-west-2_Adopted' };
const CANARY = 'canary-secret';
const VALUE = JSON.stringify({ clientId: 'id', clientSecret: CANARY });
const [V1, V2] = ['1'.repeat(32), '2'.repeat(32)];

const deployment = deploymentOf([KEY.tenantId, ADOPTING.tenantId]);
deployment.tenants[1]!.adopted = { clientCredentials: arnOf('theirs') };

let secrets: SimulatedSecretsManager;
let store: SecretsManagerCredentialStore;
beforeEach(() => {
  secrets = new SimulatedSecretsManager(new VirtualClock());
  for (const name of [NAME, 'theirs']) secrets.create(name);
  store = new SecretsManagerCredentialStore(clientOf(secrets.send), deployment);
});

/** The error of a call. Checks that it contains neither the secret nor AWS's text. */
async function failureOf(call: Promise<unknown>): Promise<StoreError> {
  const failure = await rejectionOf<StoreError>(call);
  expect(`${failure.message} ${failure.stack}`).not.toContain('canary');
  return failure;
}
// docs/deploy.md, step 4
const HOW_TO_LOAD = `to load them, run latchkey credentials put --environment staging --platform-region mea --tenant ${KEY.tenantId}`;

describe('reading client credentials', () => {
  test.each([
    ['by the name of the tenant', KEY, NAME],
    ['by the ARN of an adopted secret', ADOPTING, arnOf('theirs')],
  ])('reads the current version %s', async (_, tenant, secretId) => {
    secrets.put(secretId, VALUE, V1);

    const credentials = { clientId: 'id', clientSecret: CANARY, versionId: V1, createdAtMs: NOON_MS };
    expect(await store.read(tenant)).toEqual(credentials);
    expect(secrets.commands.map(({ input }) => input)).toEqual([{ SecretId: secretId }]);
  });

  test('says how to load them if nothing was loaded yet', async () => {
    expect(await failureOf(store.read(KEY))).toMatchObject({
      code: 'not_loaded',
      fault: 'not_loaded',
      message: `no client credentials are loaded in ${NAME}; ${HOW_TO_LOAD}`,
    });
    expect(secrets.commands).toHaveLength(1);
  });

  test('says how to load them if AWS denies the read of a secret that does not exist', async () => {
    secrets.account.secrets.clear();
    const message = denialText('secretsmanager:GetSecretValue', NAME);
    secrets.faults.push({ operation: 'GetSecretValue', name: 'AccessDeniedException', message });

    expect(await failureOf(store.read(KEY))).toMatchObject({ code: 'not_loaded', fault: 'not_loaded' });
  });

  test('says how to load them, without showing the value, if the secret holds something else', async () => {
    secrets.put(NAME, CANARY);

    const failure = await failureOf(store.read(KEY));

    expect(failure).toMatchObject({
      code: 'not_loaded',
      fault: 'credential_malformed',
      message: `${NAME} holds no client credentials; ${HOW_TO_LOAD}`,
    });
    expect(JSON.stringify(failure.cause) ?? '').not.toContain(CANARY);
  });
});

describe('the current version of client credentials', () => {
  test('is read with DescribeSecret, never with the value', async () => {
    secrets.put('theirs', VALUE, V1);
    secrets.put('theirs', CANARY, V2);
    addVersion(secrets.secret('theirs'), '3'.repeat(32), 0).stages.add('LATCHKEY_CANDIDATE');

    expect(await store.currentVersionId(ADOPTING)).toBe(V2);
    expect(secrets.commands).toMatchObject([{ operation: 'DescribeSecret', secretId: arnOf('theirs') }]);
  });

  test('is undefined if no version is current, and without a secret', async () => {
    addVersion(secrets.secret(NAME), V1, 0).stages.add('LATCHKEY_CANDIDATE');
    expect(await store.currentVersionId(KEY)).toBeUndefined();

    secrets.account.secrets.clear();
    expect(await store.currentVersionId(KEY)).toBeUndefined();
  });
});

describe('a former version of client credentials', () => {
  const V3 = '3'.repeat(32);

  test('is read by its id, from an adopted secret with its own field names', async () => {
    const fields = { clientId: 'user', clientSecret: 'pass' };
    const renamed = deploymentOf([ADOPTING.tenantId]);
    renamed.tenants[0]!.adopted = { clientCredentials: { arn: arnOf('theirs'), fields } };
    const ofRenamed = new SecretsManagerCredentialStore(clientOf(secrets.send), renamed);
    secrets.put('theirs', JSON.stringify({ user: 'id', pass: CANARY, more: 1 }), V1);
    secrets.put('theirs', 'a text', V2);

    expect(await ofRenamed.former(ADOPTING, V1)).toEqual({
      clientId: 'id',
      clientSecret: CANARY,
      versionId: V1,
      currentVersionId: V2,
    });
  });

  test.each<[string, string[], string[], boolean]>([
    ['it is the previous one', ['AWSPREVIOUS'], [], true],
    ['it is a candidate too', ['AWSPREVIOUS', 'LATCHKEY_CANDIDATE'], [], true],
    ['it has no label, and another is the previous one', [], ['AWSPREVIOUS'], true],
    ['it has another label, and another is the previous one', ['AWSPENDING'], ['AWSPREVIOUS'], false],
    ['no version is the previous one', [], [], false],
    ['no version is the previous one, and another is staged', [], ['LATCHKEY_CANDIDATE'], false],
    ['it is current', ['AWSCURRENT'], ['AWSPREVIOUS'], false],
  ])('if %s: %j and %j', async (_, own, others, isRead) => {
    const labels = { [V1]: own, [V2]: others, [V3]: own.includes('AWSCURRENT') ? [] : ['AWSCURRENT'] };
    for (const [versionId, stages] of Object.entries(labels)) {
      const version = addVersion(secrets.secret(NAME), versionId, 0);
      Object.assign(version, { secretString: VALUE, stages: new Set(stages) });
    }

    expect((await store.former(KEY, V1))?.versionId).toBe(isRead ? V1 : undefined);
    expect(secrets.commandsOf('GetSecretValue')).toHaveLength(isRead ? 1 : 0);
  });

  test('is undefined if it holds no credentials, or was deleted, alone or with its secret', async () => {
    secrets.put(NAME, 'a text', V1);
    secrets.put(NAME, VALUE, V2);

    expect(await store.former(KEY, V1)).toBeUndefined();
    expect(await store.former(KEY, V3)).toBeUndefined();
    secrets.account.secrets.clear();
    expect(await store.former(KEY, V1)).toBeUndefined();
  });
});

test('both fail as the store does', async () => {
  secrets.faults.push({ name: 'ThrottlingException', message: CANARY, times: 2 });

  for (const [call, operation] of [
    [() => store.read(KEY), 'GetSecretValue'],
    [() => store.currentVersionId(KEY), 'DescribeSecret'],
  ] as const) {
    const message = expect.stringContaining(`secretsmanager:${operation} on ${NAME}`) as string;
    expect(await failureOf(call())).toMatchObject({ code: 'throttled', message });
  }
});

test('every call, including its retries, ends at its timeout', async () => {
  const client = clientOf(secrets.send);
  const send = jest.spyOn(client, 'send');
  const timed = new SecretsManagerCredentialStore(client, deployment);
  secrets.put(NAME, VALUE);

  await timed.read(KEY, 60_000);
  await timed.currentVersionId(KEY, 60_000);
  secrets.put(NAME, VALUE, V1);
  secrets.put(NAME, VALUE, V2);
  await timed.former(KEY, V1, 60_000);

  const options = send.mock.calls.map((args: unknown[]) => args[1]);
  expect(options).toEqual(Array(4).fill({ abortSignal: expect.any(AbortSignal) as unknown }));
});
