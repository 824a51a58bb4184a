import { Account } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, REGION, tenant } from '../support/lib/configuration';
import {
  addKey,
  addOperator,
  addSecret,
  type Caller,
  may,
  mayUseKey,
  provisionSynthesis,
  type SecretAction,
  SECRET_ACTIONS,
} from '../support/lib/provisioned';
import { synthesisWith } from '../support/lib/synthesis';

const STACK = 'latchkey-staging-global';
const TENANT_STACK = `${STACK}-tenant-a`;
const PATH = 'latchkey/staging/global/tenant-a';
const PAIR_NAME = 'legacy/platform/creds';
const KEY_NAME = 'legacy/platform/key';
const arnOf = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
const kmsKey = (id: string) => `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/${id}`;
const [OWN_KEY, LEGACY_KEY, OTHER_KEY] = ['00000000-own', '00000000-legacy', '00000000-other'].map(kmsKey);

const synthesis = synthesisWith({
  kmsKeyArn: OWN_KEY!,
  tenants: [
    {
      ...tenant('tenant-a'),
      adopt: {
        clientCredentials: {
          arn: arnOf(PAIR_NAME),
          fields: { clientId: 'id', clientSecret: 'secret' },
          kmsKeyArn: LEGACY_KEY!,
        },
        apiKey: { arn: arnOf(KEY_NAME), kmsKeyArn: LEGACY_KEY! },
      },
    },
  ],
});

const inAccount = new Account(ACCOUNT_ID, REGION);
for (const arn of [OWN_KEY!, LEGACY_KEY!, OTHER_KEY!]) addKey(inAccount, arn);
const { account, roles } = provisionSynthesis(synthesis, inAccount);
const callers = [
  { name: 'operator', caller: addOperator(account) },
  ...roles.map(({ arn, description }) => ({
    name: /^Role of ([a-z-]+)/.exec(description)?.[1] ?? description,
    caller: { account, roleArn: arn },
  })),
];

/** Who passes a test, by the names of functions. */
const who = (test: (caller: Caller) => boolean) =>
  callers
    .filter(({ caller }) => test(caller))
    .map(({ name }) => name)
    .sort();

/** Who may do each action on a secret that the account has already. */
function rightsOn(name: string, keyArn: string | undefined): Partial<Record<SecretAction, string[]>> {
  const secret = addSecret(account, name, keyArn);
  return Object.fromEntries(
    SECRET_ACTIONS.map(
      (action) => [action, who((caller) => may(caller, action, account, secret))] as const,
    ).filter(([, names]) => names.length > 0),
  );
}

const [OPERATOR, REFRESH, ROTATE, SWEEP, WATCH] = [
  'operator',
  'token-refresh',
  'rotate-credentials',
  'token-sweep',
  'credential-watch',
];

describe('an adopted secret with a name of Latchkey’s', () => {
  const adopt = {
    clientCredentials: arnOf(`${PATH}/client-credentials`),
    apiKey: arnOf(`${PATH}/api-key`),
  };
  const secretReaders = { breakGlassRoleArn: `arn:aws:iam::${ACCOUNT_ID}:role/break-glass` };
  const adopting = synthesisWith({ secretReaders, tenants: [{ ...tenant('tenant-a'), adopt }] });
  const ofTenant = (type: string, of = adopting) =>
    of.resourcesOf(TENANT_STACK, `AWS::SecretsManager::${type}`).map(({ Properties }) => Properties);

  it('is used by its ARN and not created; the token is created', () => {
    expect(ofTenant('Secret').map(({ Name }) => Name)).toEqual([`${PATH}/token/content/api-read`]);
    expect(ofTenant('RotationSchedule').map(({ SecretId }) => SecretId)).toEqual(Object.values(adopt));
    expect(adopting.deploymentFiles()[0]).toMatchObject({ tenants: [{ adopted: adopt }] });
  });

  it.each(Object.values(adopt))('gets the same resource policy as one that is created: %s', (arn) => {
    const index = Object.values(adopt).indexOf(arn);
    const [created, adopted] = [synthesisWith({ secretReaders }), adopting].map(
      (synthesis) => ofTenant('ResourcePolicy', synthesis)[index]!,
    );

    expect(adopted).toMatchObject({ SecretId: arn, BlockPublicPolicy: true });
    expect(JSON.stringify(adopted).replaceAll(`"${arn}"`, JSON.stringify(created!.SecretId))).toBe(
      JSON.stringify(created),
    );
  });
});

describe('an adopted secret with a name of its own', () => {
  // Operators load, rotate and recover it, but do not read it.
  const OF_OPERATORS = { RotateSecret: [OPERATOR], RestoreSecret: [OPERATOR] };

  it('with client credentials can be used by the functions that need them', () => {
    expect(rightsOn(PAIR_NAME, LEGACY_KEY)).toEqual({
      GetSecretValue: [ROTATE, REFRESH, SWEEP],
      PutSecretValue: [OPERATOR, ROTATE],
      DescribeSecret: [WATCH, OPERATOR, ROTATE, REFRESH, SWEEP],
      ListSecretVersionIds: [WATCH, OPERATOR, SWEEP],
      UpdateSecretVersionStage: [OPERATOR, ROTATE],
      ...OF_OPERATORS,
    });
  });

  it.each([
    ['the deployment’s key', OWN_KEY],
    ['its own key', LEGACY_KEY],
  ])('with an API key, under %s, can be used by the functions that need it', (_, keyArn) => {
    expect(rightsOn(KEY_NAME, keyArn)).toEqual({
      GetSecretValue: ['authorizer', WATCH, ROTATE],
      PutSecretValue: [OPERATOR, ROTATE],
      DescribeSecret: ['authorizer', WATCH, OPERATOR, ROTATE, SWEEP],
      ListSecretVersionIds: [WATCH, OPERATOR, SWEEP],
      // The record of what the platform accepted.
      TagResource: [ROTATE],
      UpdateSecretVersionStage: [OPERATOR, ROTATE],
      ...OF_OPERATORS,
    });
  });

  it('gives no value under a key that the configuration does not name', () => {
    const rights = rightsOn(PAIR_NAME, OTHER_KEY);

    expect([rights.GetSecretValue, rights.PutSecretValue]).toEqual([undefined, undefined]);
  });

  it.each(['legacy/platform/creds2', 'legacy/platform/creds-AbCdEf', 'legacy/platform', 'legacy/other'])(
    'gives no rights on its neighbor %s',
    (name) => {
      expect(rightsOn(name, LEGACY_KEY)).toEqual({});
    },
  );

  it('gives the use of its key for no other secret, and only through Secrets Manager', () => {
    const using = (name: string) =>
      who((caller) => mayUseKey(caller, 'kms:Decrypt', account, addSecret(account, name, LEGACY_KEY)));

    expect(using(PAIR_NAME)).toEqual([OPERATOR, ROTATE, REFRESH, SWEEP]);
    expect(using('legacy/other')).toEqual([]);
    const onKey = synthesis.statements().filter(({ Resource }) => [Resource].flat().includes(LEGACY_KEY));
    for (const { Condition } of onKey)
      expect(JSON.stringify(Condition!.StringEquals)).toContain('secretsmanager.eu-west-1.');
  });

  it('keeps its own resource policy', () => {
    const guarded = synthesis
      .resourcesOf(TENANT_STACK, 'AWS::SecretsManager::ResourcePolicy')
      .map(({ Properties }) => Properties.SecretId);

    expect(guarded).toEqual([{ Ref: expect.stringMatching(/^Tokencontentapiread/) as string }]);
  });

  it('is rotated by rotate-credentials, which Secrets Manager may invoke for exactly this secret', () => {
    const schedules = synthesis.resourcesOf(TENANT_STACK, 'AWS::SecretsManager::RotationSchedule');
    const sources = synthesis
      .resourcesOf(STACK, 'AWS::Lambda::Permission')
      .filter(({ Properties }) => Properties.Principal === 'secretsmanager.amazonaws.com')
      .map(({ Properties }) => [Properties.SourceAccount, Properties.SourceArn]);

    expect(schedules.map(({ Properties }) => Properties.SecretId)).toEqual([
      arnOf(PAIR_NAME),
      arnOf(KEY_NAME),
    ]);
    expect(sources.slice(2)).toEqual([
      [ACCOUNT_ID, arnOf(PAIR_NAME)],
      [ACCOUNT_ID, arnOf(KEY_NAME)],
    ]);
  });

  it('is in the deployment file with its field names', () => {
    const [file] = synthesis.deploymentFiles();
    const fields = { clientId: 'id', clientSecret: 'secret' };

    expect(file!.tenants[0]!.adopted).toEqual({
      clientCredentials: { arn: arnOf(PAIR_NAME), fields, kmsKeyArn: LEGACY_KEY },
      apiKey: {
        arn: arnOf(KEY_NAME),
        kmsKeyArn: LEGACY_KEY,
        fields: { apiKey: 'apiKey', validUntil: 'validUntil' },
      },
    });
  });
});
