import { InvokeCommand } from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
} from '@aws-sdk/client-secrets-manager';

import { type ProveEvent } from '../../core/rotation/api-key-proof';
import { CANDIDATE_LABEL, KIND_TAG, PROVEN_LABEL } from '../../core/secrets/credential-labels';
import { CREDENTIAL_KINDS, type CredentialKind, tokenSecretName } from '../../core/secrets/secret-names';
import { type EnsureEvent } from '../../core/tokens/token-refresh';
import { type TokenValue } from '../../core/secrets/secret-values';
import { SecretsManagerAcceptedSecrets } from '../../lambdas/shared/adapters/secrets-manager-accepted-secrets';
import { SecretsManagerInspector } from '../../lambdas/shared/adapters/secrets-manager-inspector';
import { digestOf } from '../../core/secrets/accepted-secret';
import { clientOf } from '../support/aws/simulated-secrets-manager';
import { KEY } from '../support/lambdas/token-functions';
import { type Credential, type LegacySecret, OperatedDeployment } from './support/operated-deployment';
import { load, rollBack, stageElsewhere } from './support/operations';

const FURTHER = { owner: 'platform team', ports: [443] };
const LEGACY: Record<CredentialKind, LegacySecret> = {
  'client-credentials': {
    name: 'legacy/platform/creds',
    fields: { clientId: 'id', clientSecret: 'secret' },
    valueOf: ({ clientId, clientSecret }) =>
      JSON.stringify({ id: clientId, secret: clientSecret, ...FURTHER }),
  },
  'api-key': {
    name: 'legacy/platform/key',
    fields: { apiKey: 'key', validUntil: 'until' },
    valueOf: ({ apiKey, validUntil }) => JSON.stringify({ key: apiKey, until: validUntil, ...FURTHER }),
  },
};

beforeEach(() => {
  // On virtual time, signals of real timeouts are useless.
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

afterEach(() => jest.restoreAllMocks());

const adopting = (kind: CredentialKind) => OperatedDeployment.adopting(kind, LEGACY[kind]);
const valueAt = (operated: OperatedDeployment, label: string) =>
  JSON.parse(operated.valueAt(label)!) as Record<string, unknown>;
const expected = (kind: CredentialKind, credential: string) =>
  JSON.parse(LEGACY[kind].valueOf(JSON.parse(credential) as Credential)) as object;
/** A client of the simulated Secrets Manager for one of the deployment's adapters. */
const clientFor = (operated: OperatedDeployment) => clientOf((command) => operated.secrets.send(command));

async function fetchToken({ functions, secrets, deployment, time }: OperatedDeployment): Promise<TokenValue> {
  const event: EnsureEvent = {
    ...{ action: 'ensure', tenantId: KEY.tenantId, interface: 'content', scope: 'api/read' },
    minValiditySec: 60,
  };
  const command = new InvokeCommand({
    FunctionName: 'token-refresh-arn',
    Payload: Buffer.from(JSON.stringify(event)),
  });
  const { Payload } = (await time.until(functions.invoke(command))) as { Payload: Buffer };
  expect(JSON.parse(Payload.toString())).toMatchObject({ ok: true });
  const SecretId = tokenSecretName(deployment.prefix, KEY);
  const { SecretString } = (await secrets.send(new GetSecretValueCommand({ SecretId }))) as {
    SecretString: string;
  };
  return JSON.parse(SecretString) as TokenValue;
}

test('tokens are requested with the pair in an adopted secret, and with its successor', async () => {
  const operated = await adopting('client-credentials');

  const token = await fetchToken(operated);
  expect(token.credentialVersionId).toBe(operated.holderOf('AWSCURRENT'));

  expect(await load(operated, operated.platform.issueValue('client-credentials'))).toBe('done');
  await operated.time.advance(60_000);
  const next = await fetchToken(operated);
  expect(next.credentialVersionId).toBe(operated.holderOf('AWSCURRENT'));
  expect(next.credentialVersionId).not.toBe(token.credentialVersionId);
});

test.each(CREDENTIAL_KINDS)(
  'a %s in an adopted secret is replaced and rolled back under its own field names, and further fields stay',
  async (kind) => {
    const operated = await adopting(kind);
    const old = operated.valueAt('AWSCURRENT');
    const next = operated.platform.issueValue(kind);

    expect(await load(operated, next)).toBe('done');
    expect(valueAt(operated, 'AWSCURRENT')).toEqual(expected(kind, next));
    expect(operated.valueAt('AWSPREVIOUS')).toBe(old);
    expect(operated.holderOf(CANDIDATE_LABEL)).toBeUndefined();

    expect(await rollBack(operated)).toBe('done');
    expect(operated.valueAt('AWSCURRENT')).toBe(old);
    expect(valueAt(operated, 'AWSPREVIOUS')).toEqual(expected(kind, next));
    expect(operated.holderOf(CANDIDATE_LABEL)).toBeUndefined();
  },
);

test('a rotation without a command releases the candidate, although the new version has further fields', async () => {
  const operated = await adopting('client-credentials');
  const next = operated.platform.issueValue('client-credentials');
  const { clientId: id, clientSecret: secret } = JSON.parse(next) as Credential;
  await stageElsewhere(operated, JSON.stringify({ id, secret }));

  const rotation = new RotateSecretCommand({
    SecretId: operated.secretName,
    ClientRequestToken: 'r'.repeat(32),
  });
  await operated.time.until(operated.secrets.send(rotation));
  await operated.time.advance(60_000);

  expect(valueAt(operated, 'AWSCURRENT')).toEqual(expected('client-credentials', next));
  expect(operated.holderOf(CANDIDATE_LABEL)).toBeUndefined();
});

test('a staged credential that is current already changes nothing, whatever the further fields', async () => {
  const operated = await adopting('client-credentials');
  const { id: clientId, secret: clientSecret } = valueAt(operated, 'AWSCURRENT');
  const before = operated.holderOf('AWSCURRENT');

  await load(operated, JSON.stringify({ clientId, clientSecret }));

  expect(operated.holderOf('AWSCURRENT')).toBe(before);
  expect(operated.holderOf(CANDIDATE_LABEL)).toBeUndefined();
});

test('AWS’s test of the configuration asks the platform nothing, even if the pending version is formatted differently', async () => {
  const operated = await adopting('client-credentials');
  const { arn } = operated.secrets.secret(operated.secretName);
  const { id, secret } = valueAt(operated, 'AWSCURRENT');
  const ClientRequestToken = 'p'.repeat(32);
  const SecretString = JSON.stringify({ secret, id });
  await operated.secrets.send(
    new PutSecretValueCommand({
      SecretId: arn,
      ClientRequestToken,
      SecretString,
      VersionStages: ['AWSPENDING'],
    }),
  );

  await operated.time.until(
    operated.functions.rotate({ SecretId: arn, ClientRequestToken, Step: 'testSecret' }),
  );

  expect(operated.holderOf('AWSPENDING')).toBe(ClientRequestToken);
  expect(operated.holderOf(PROVEN_LABEL)).toBeUndefined();
});

test('an API key in an adopted secret is accepted by the authorizer, and its expiry is watched', async () => {
  const operated = await adopting('api-key');
  const { key, until } = valueAt(operated, 'AWSCURRENT') as { key: string; until: string };
  const client = clientFor(operated);
  const proving = new InvokeCommand({
    FunctionName: 'rotate-credentials-arn',
    Payload: Buffer.from(JSON.stringify({ action: 'prove' } satisfies ProveEvent)),
  });
  await operated.time.until(operated.functions.invoke(proving));

  const accepted = await new SecretsManagerAcceptedSecrets(client, operated.deployment).apiKeys(KEY);
  const seen = await new SecretsManagerInspector(client, operated.deployment).credential(
    KEY,
    'api-key',
    1_000,
  );

  expect(accepted.map(({ sha256 }) => sha256)).toEqual([digestOf(key)]);
  expect(seen).toMatchObject({ access: 'ok', validUntil: new Date(until).toISOString() });
});

describe('rotate-credentials refuses', () => {
  const refusal = async (operated: OperatedDeployment, SecretId: string) => {
    const event = { SecretId, ClientRequestToken: 'x'.repeat(32), Step: 'createSecret' } as const;
    return operated.time.until(
      operated.functions.rotate(event).then(
        () => 'done',
        (error: Error) => error,
      ),
    );
  };
  const foreign = (found: string) =>
    expect.objectContaining({
      code: 'foreign_secret',
      message:
        `found ${found}; allowed: ` +
        'latchkey:kind=client-credentials on latchkey/staging/mea/TENANT/client-credentials or ' +
        'latchkey:kind=api-key on latchkey/staging/mea/TENANT/api-key, of a tenant that the configuration declares, ' +
        'or on a secret that it adopts as that kind',
    }) as Error;

  test.each<[string, Record<string, string>, string]>([
    ['without the tag', {}, 'no tag latchkey:kind'],
    ['with the tag of the other kind', { [KIND_TAG]: 'api-key' }, 'latchkey:kind=api-key'],
  ])('an adopted secret %s', async (_, tags, found) => {
    const operated = await adopting('client-credentials');
    const secret = operated.secrets.secret(operated.secretName);
    Object.assign(secret, { tags });

    expect(await refusal(operated, secret.arn)).toEqual(foreign(`${found} on legacy/platform/creds`));
  });

  test.each([
    ['a tagged secret that nobody adopts', 'legacy/platform/other'],
    [
      'the secret with Latchkey’s name, once another is adopted',
      'latchkey/staging/mea/eu-west-2_Acme/client-credentials',
    ],
  ])('%s', async (_, name) => {
    const operated = await adopting('client-credentials');
    const { arn } = operated.secrets.create(name, { [KIND_TAG]: 'client-credentials' });

    expect(await refusal(operated, arn)).toEqual(foreign(`latchkey:kind=client-credentials on ${name}`));
  });
});
