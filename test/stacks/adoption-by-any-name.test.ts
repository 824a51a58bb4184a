import { Account, type PolicyStatement, type Secret } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, configuration, REGION, tenant } from '../support/lib/configuration';
import {
  addSecret,
  may,
  mayUseKey,
  provisionSynthesis,
  type SecretAction,
  SECRET_ACTIONS,
} from '../support/lib/provisioned';
import { synthesizeOnce } from '../support/lib/synthesis';

const STACK = 'latchkey-staging-global';
const TENANT_STACK = `${STACK}-tenant-a`;
const PAIR_NAME = 'legacy/platform/creds';
const KEY_NAME = 'legacy/platform/key';
const arnOf = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}-AbCdEf`;
const kmsKey = (id: string) => `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/${id}`;
const [OWN_KEY, LEGACY_KEY, OTHER_KEY] = ['00000000-own', '00000000-legacy', '00000000-other'].map(kmsKey);

const synthesis = synthesizeOnce(
  configuration({
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
  }),
);

/** An account with the keys. Each leaves access to the identity policies of the account. */
function accountWithKeys(): Account {
  const account = new Account(ACCOUNT_ID, REGION);
  const Principal = { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` };
  for (const arn of [OWN_KEY!, LEGACY_KEY!, OTHER_KEY!]) {
    account.keys.set(arn, {
      arn,
      policy: { Statement: { Effect: 'Allow', Principal, Action: 'kms:*', Resource: '*' } },
    });
  }
  return account;
}

/** The roles that may do each action on a secret. */
function rightsOn(secretOf: (account: Account) => Secret): Partial<Record<SecretAction, string[]>> {
  const account = accountWithKeys();
  const secret = secretOf(account);
  const { roles } = provisionSynthesis(synthesis, account);
  return Object.fromEntries(
    SECRET_ACTIONS.flatMap((action) => {
      const allowed = roles.filter(({ arn }) => may({ account, roleArn: arn }, action, account, secret));
      const names = allowed.map(({ description }) => /^Role of ([a-z-]+)/.exec(description)![1]!);
      return names.length === 0 ? [] : [[action, names.sort()]];
    }),
  );
}

const [REFRESH, ROTATE, SWEEP, WATCH] = [
  'token-refresh',
  'rotate-credentials',
  'token-sweep',
  'credential-watch',
];

describe('an adopted secret with a name of its own', () => {
  it('with client credentials can be used by the functions that need them', () => {
    expect(rightsOn((account) => addSecret(account, PAIR_NAME, LEGACY_KEY))).toEqual({
      GetSecretValue: [ROTATE, REFRESH, SWEEP],
      PutSecretValue: [ROTATE],
      DescribeSecret: [WATCH, ROTATE, REFRESH, SWEEP],
      ListSecretVersionIds: [WATCH, SWEEP],
      UpdateSecretVersionStage: [ROTATE],
    });
  });

  it.each([
    ['the deployment’s key', OWN_KEY],
    ['its own key', LEGACY_KEY],
  ])('with an API key, under %s, can be used by the functions that need it', (_, keyArn) => {
    expect(rightsOn((account) => addSecret(account, KEY_NAME, keyArn))).toEqual({
      GetSecretValue: ['authorizer', WATCH, ROTATE],
      PutSecretValue: [ROTATE],
      DescribeSecret: ['authorizer', WATCH, ROTATE, SWEEP],
      ListSecretVersionIds: [WATCH, SWEEP],
      // The record of what the platform accepted.
      TagResource: [ROTATE],
      UpdateSecretVersionStage: [ROTATE],
    });
  });

  it('gives no value under a key that the configuration does not name', () => {
    const rights = rightsOn((account) => addSecret(account, PAIR_NAME, OTHER_KEY));

    expect([rights.GetSecretValue, rights.PutSecretValue]).toEqual([undefined, undefined]);
  });

  it.each(['legacy/platform/creds2', 'legacy/platform/creds-AbCdEf', 'legacy/platform', 'legacy/other'])(
    'gives no rights on its neighbor %s',
    (name) => {
      expect(rightsOn((account) => addSecret(account, name, LEGACY_KEY))).toEqual({});
    },
  );

  it('gives the use of its key for no other secret, and only through Secrets Manager', () => {
    const account = accountWithKeys();
    const { roles } = provisionSynthesis(synthesis, account);
    const neighbor = addSecret(account, 'legacy/other', LEGACY_KEY);
    const adopted = addSecret(account, PAIR_NAME, LEGACY_KEY);
    const using = (secret: Secret) =>
      roles.filter(({ arn }) => mayUseKey({ account, roleArn: arn }, 'kms:Decrypt', account, secret));

    expect(using(adopted)).toHaveLength(3);
    expect(using(neighbor)).toEqual([]);
    for (const { Condition } of synthesis
      .resourcesOf(STACK)
      .flatMap(
        ({ Properties }) => (Properties.PolicyDocument as { Statement: PolicyStatement[] })?.Statement ?? [],
      )
      .filter(({ Resource }) => [Resource].flat().includes(LEGACY_KEY))) {
      expect(JSON.stringify(Condition!.StringEquals)).toContain('secretsmanager.eu-west-1.');
    }
  });

  it('can be loaded, rotated and recovered by operators, but not read', () => {
    const [policy] = synthesis.resourcesOf(STACK, 'AWS::IAM::ManagedPolicy');
    const { Statement } = policy!.Properties.PolicyDocument as { Statement: PolicyStatement[] };
    const actions = Statement.filter(({ Resource }) => [Resource].flat().includes(arnOf(PAIR_NAME))).flatMap(
      ({ Action, Resource }) => [[Action].flat(), [Resource].flat().slice(2)],
    );

    expect(actions).toEqual([
      [
        'secretsmanager:PutSecretValue',
        'secretsmanager:DescribeSecret',
        'secretsmanager:ListSecretVersionIds',
        'secretsmanager:UpdateSecretVersionStage',
        'secretsmanager:RotateSecret',
        'secretsmanager:RestoreSecret',
      ],
      [arnOf(PAIR_NAME), arnOf(KEY_NAME)],
    ]);
    const onKeys = Statement.find(({ Action }) => [Action].flat().includes('kms:GenerateDataKey'));
    const secrets = onKeys!.Condition!.StringLike!['kms:EncryptionContext:SecretARN'] as string[];
    expect(onKeys!.Resource).toEqual([OWN_KEY, LEGACY_KEY]);
    expect(secrets.slice(2)).toEqual([arnOf(PAIR_NAME), arnOf(KEY_NAME)]);
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
    for (const [account, pattern] of sources.slice(0, 2)) {
      expect(account).toBe(ACCOUNT_ID);
      expect(JSON.stringify(pattern)).toContain(':secret:latchkey/staging/global/*/');
    }
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
