import { RotateSecretCommand } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../core/secrets/secret-names';
import { type Credential, type LegacySecret, OperatedDeployment } from './support/operated-deployment';

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

const adopting = (kind: CredentialKind) => OperatedDeployment.adopting(kind, LEGACY[kind]);
const valueAt = (operated: OperatedDeployment, label: string) =>
  JSON.parse(operated.valueAt(label)!) as Record<string, unknown>;
const expected = (kind: CredentialKind, credential: string) =>
  JSON.parse(LEGACY[kind].valueOf(JSON.parse(credential) as Credential)) as object;

test.each(CREDENTIAL_KINDS)(
  'a %s in an adopted secret is replaced and rolled back under its own field names, and further fields stay',
  async (kind) => {
    const operated = await adopting(kind);
    const old = operated.valueAt('AWSCURRENT');
    const next = operated.platform.issueValue(kind);

    expect(await operated.load(next)).toBe('done');
    expect(valueAt(operated, 'AWSCURRENT')).toEqual(expected(kind, next));
    expect(operated.valueAt('AWSPREVIOUS')).toBe(old);
    expect(operated.holderOf(CANDIDATE_LABEL)).toBeUndefined();

    expect(await operated.rollBack()).toBe('done');
    expect(operated.valueAt('AWSCURRENT')).toBe(old);
    expect(valueAt(operated, 'AWSPREVIOUS')).toEqual(expected(kind, next));
    expect(operated.holderOf(CANDIDATE_LABEL)).toBeUndefined();
  },
);

test('a rotation without a command releases the candidate, although the new version has further fields', async () => {
  const operated = await adopting('client-credentials');
  const next = operated.platform.issueValue('client-credentials');
  const { clientId: id, clientSecret: secret } = JSON.parse(next) as Credential;
  await operated.stageElsewhere(JSON.stringify({ id, secret }));

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

  await operated.load(JSON.stringify({ clientId, clientSecret }));

  expect(operated.holderOf('AWSCURRENT')).toBe(before);
  expect(operated.holderOf(CANDIDATE_LABEL)).toBeUndefined();
});
