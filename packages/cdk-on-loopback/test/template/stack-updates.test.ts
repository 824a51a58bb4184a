import { changeKey } from '../../src/aws/secrets-manager/key-access';
import { atOnce, deleteStack, deployStack, type ProvisionedStack } from '../../src/template/provision';
import { templateSchema } from '../../src/template/template';
import { emptyAccount, ENDPOINT_URL, NOW_MS, POLICY, provision, roleFor } from '../../src/testing/stacks';

interface Written {
  Type: string;
  Properties?: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string;
}
type Resources = Record<string, Written>;

const parameter = (Name: string, Value: unknown = 'x', more: object = {}): Written => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Name, Type: 'String', Value },
  ...more,
});
const secret = (Name: string, more: object = {}): Written => ({
  Type: 'AWS::SecretsManager::Secret',
  Properties: { Name },
  ...more,
});
const role = (more: object = {}): Written => {
  const [Type, Properties] = roleFor('lambda.amazonaws.com', { ...more });
  return { Type, Properties };
};
/** A resource that cannot be created. */
const BROKEN: Written = { Type: 'AWS::SecretsManager::ResourcePolicy', Properties: { SecretId: 'none' } };

let account: ReturnType<typeof emptyAccount>;
let drawn = 0;
beforeEach(() => {
  account = emptyAccount();
  drawn = 0;
});

const options = () => ({ account, random: (length: number) => String(drawn++).padStart(length, 'x') });
const deploy = (Resources: Resources, previous?: ProvisionedStack) =>
  provision({ Resources }, { ...options(), previous });
const destroy = (stack: ProvisionedStack) =>
  atOnce(deleteStack(stack, { ...options(), nowMs: NOW_MS, endpointUrl: ENDPOINT_URL }));
const secretNames = () => [...account.secrets.values()].map(({ name }) => name);
const onlySecret = () => [...account.secrets.values()][0]!;

describe('an update', () => {
  test('leaves what has not changed, changes in place, adds, and deletes what is gone', () => {
    const first = deploy({ A: parameter('/a'), B: parameter('/b'), C: parameter('/c') });
    const [a] = account.parameters.values();

    deploy({ A: parameter('/a'), B: parameter('/b', 'y'), D: parameter('/d') }, first);

    expect([...account.parameters.values()].map(({ name, value }) => [name, value])).toEqual([
      ['/a', 'x'],
      ['/b', 'y'],
      ['/d', 'x'],
    ]);
    expect(account.parameters.get('/a')).toBe(a);
  });

  test('lets the account be used between its changes', () => {
    const first = deploy({ A: parameter('/a'), B: parameter('/b') });
    const template = templateSchema.parse({ Resources: { A: parameter('/a', 'y'), C: parameter('/c') } });
    const seen: string[] = [];
    const steps = deployStack(
      { name: 'app', template, parameters: {}, assetDirs: new Map<string, string>() },
      { ...options(), nowMs: NOW_MS, endpointUrl: ENDPOINT_URL },
      first,
    );

    while (!steps.next().done)
      seen.push([...account.parameters.values()].map(({ name, value }) => name + value).join(' '));

    expect(seen).toEqual(['/bx /ay', '/bx /ay /cx', '/ay /cx']);
  });

  test('keeps generated names, and what the resource has become', () => {
    const queue = (SqsManagedSseEnabled: boolean): Written => ({
      Type: 'AWS::SQS::Queue',
      Properties: { SqsManagedSseEnabled },
    });
    const first = deploy({ Queue: queue(false), Role: role(), Secret: secret('s') });
    const [kept] = account.queues.values();
    const arn = onlySecret().arn;
    onlySecret().versions.set('v', {
      versionId: 'v',
      createdAtMs: 0,
      secretString: 'value',
      stages: new Set(),
    });

    const second = deploy(
      {
        Queue: queue(true),
        Role: role({ Description: 'other' }),
        Secret: { ...secret('s'), Properties: { Name: 's', Description: 'other' } },
      },
      first,
    );

    expect([...account.queues.values()]).toEqual([kept]);
    expect(second.resources.get('Role')!.attributes).toEqual(first.resources.get('Role')!.attributes);
    expect(onlySecret()).toMatchObject({ arn, description: 'other' });
    expect(onlySecret().versions.get('v')?.secretString).toBe('value');
  });

  test('replaces: the new one first, then what refers to it, and at the end deletes the old one', () => {
    const template = (PathPart: string): Resources => ({
      Role: role({ Path: `/${PathPart}/` }),
      Arn: parameter('/role', { 'Fn::GetAtt': ['Role', 'Arn'] }),
    });
    const first = deploy(template('one'));
    const [before] = account.roles.keys();

    deploy(template('two'), first);

    const [after, ...others] = account.roles.keys();
    expect(others).toEqual([]);
    expect(after).not.toBe(before);
    expect(account.parameters.get('/role')?.value).toBe(after);
  });

  test('retains a replaced resource if its UpdateReplacePolicy says so', () => {
    const first = deploy({ S: secret('one') });

    deploy({ S: secret('two', { UpdateReplacePolicy: 'Retain' }) }, first);

    expect(secretNames()).toEqual(['one', 'two']);
  });

  test('does not replace a resource under the same name', () => {
    const policy = (Description: string): Written => ({
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { ManagedPolicyName: 'mine', Description, PolicyDocument: POLICY },
    });
    const first = deploy({ P: policy('one') });

    expect(() => deploy({ P: policy('two') }, first)).toThrow(/mine already exists/);
    expect(account.managedPolicies.size).toBe(1);
  });

  test('does not change the type of a resource', () => {
    const first = deploy({ A: parameter('/a') });

    expect(() => deploy({ A: secret('a') }, first)).toThrow(/A: Update of resource type is not permitted/);
  });

  test('keeps the policies that other resources attached to a role, and changes its own', () => {
    const policy = (name: string) => ({ PolicyName: name, PolicyDocument: POLICY });
    const template = (own: string): Resources => ({
      Role: role({ Policies: [policy(own)] }),
      Policy: { Type: 'AWS::IAM::Policy', Properties: { ...policy('attached'), Roles: [{ Ref: 'Role' }] } },
    });

    deploy(template('two'), deploy(template('one')));

    expect([...account.roles.values()][0]?.inlinePolicies.map(({ name }) => name)).toEqual([
      'two',
      'attached',
    ]);
  });

  test('takes a policy away from a role that it no longer names', () => {
    const template = (id: string): Resources => ({
      A: role(),
      B: role(),
      Policy: {
        Type: 'AWS::IAM::Policy',
        Properties: { PolicyName: 'p', PolicyDocument: POLICY, Roles: [{ Ref: id }] },
      },
    });

    deploy(template('B'), deploy(template('A')));

    expect([...account.roles.values()].map(({ inlinePolicies }) => inlinePolicies.length)).toEqual([0, 1]);
  });

  test('deletes in reverse order, and removed secrets by force unless they are retained', () => {
    const first = deploy({
      Gone: secret('gone'),
      Kept: secret('kept', { DeletionPolicy: 'Retain' }),
      Filled: secret('filled', { DeletionPolicy: 'RetainExceptOnCreate' }),
      Policy: {
        Type: 'AWS::SecretsManager::ResourcePolicy',
        Properties: {
          SecretId: { Ref: 'Kept' },
          ResourcePolicy: { Statement: [{ ...POLICY.Statement[0], Principal: '*' }] },
        },
      },
    });

    const second = deploy({ P: parameter('/p') }, first);

    expect(secretNames()).toEqual(['kept', 'filled']);
    expect(onlySecret().resourcePolicy).toBeUndefined();
    deploy({ P: parameter('/p'), Gone: secret('gone') }, second);
    expect(() => deploy({ P: parameter('/p'), Kept: secret('kept') }, second)).toThrow(/kept already exists/);
  });
});

describe('a failed operation', () => {
  test('leaves nothing of a new stack but what is to be retained always', () => {
    const resources = {
      A: parameter('/a'),
      Kept: secret('kept', { DeletionPolicy: 'Retain' }),
      New: secret('new', { DeletionPolicy: 'RetainExceptOnCreate' }),
    };

    expect(() => deploy({ ...resources, Broken: BROKEN })).toThrow(/Broken/);

    expect(account.parameters.size).toBe(0);
    expect(secretNames()).toEqual(['kept']);
    account.secrets.clear();
    deploy(resources);
    expect(secretNames()).toEqual(['kept', 'new']);
  });

  test('restores everything of an updated stack, which can be updated again', () => {
    const first = deploy({ A: parameter('/a'), Role: role(), Old: secret('old') });
    const before = structuredClone([...account.roles]);
    const wanted = {
      A: parameter('/a', 'y'),
      Role: role({ Path: '/two/' }),
      New: secret('new', { DeletionPolicy: 'RetainExceptOnCreate' }),
    };

    expect(() => deploy({ ...wanted, Broken: BROKEN }, first)).toThrow(/Broken/);

    expect(account.parameters.get('/a')?.value).toBe('x');
    expect([...account.roles]).toEqual(before);
    expect(secretNames()).toEqual(['old']);
    deploy(wanted, first);
    expect(account.parameters.get('/a')?.value).toBe('y');
    expect(secretNames()).toEqual(['new']);
  });

  test('restores a resource whose own update failed', () => {
    const first = deploy({ A: parameter('/a') });

    expect(() =>
      deploy({ A: { ...parameter('/a', 'y'), Properties: { Name: '/a', Value: 1 } } }, first),
    ).toThrow(/Value/);

    expect(account.parameters.get('/a')?.value).toBe('x');
  });
});

test('what someone else has deleted cannot be updated, but can be deleted', () => {
  const stack = deploy({ Role: role({ Description: 'one' }) });
  account.roles.clear();

  expect(() => deploy({ Role: role({ Description: 'two' }) }, stack)).toThrow(
    /Role: .* was deleted outside its stack/,
  );
  destroy(stack);
});

test('a deletion deletes all but what is retained', () => {
  const stack = deploy({
    A: parameter('/a'),
    Role: role(),
    Gone: secret('gone'),
    Kept: secret('kept', { DeletionPolicy: 'RetainExceptOnCreate' }),
  });

  destroy(stack);

  expect([account.parameters.size, account.roles.size]).toEqual([0, 0]);
  expect(secretNames()).toEqual(['kept']);
});

test('tags follow the template, and stay with what is retained', () => {
  const tagged = (Tags?: object) =>
    parameter('/a', 'x', {
      DeletionPolicy: 'Retain',
      Properties: { Name: '/a', Type: 'String', Value: 'x', Tags },
    });
  const tags = () => account.tags.get(account.parameters.get('/a')!.arn);
  const first = deploy({ A: tagged() });
  expect(tags()).toBeUndefined();

  const second = deploy({ A: tagged({ stack: 'red' }) }, first);
  expect(tags()).toEqual({ stack: 'red' });
  destroy(second);
  expect(tags()).toEqual({ stack: 'red' });

  deploy({ A: tagged() }, second);
  expect(tags()).toEqual({});
});

describe('another key of a secret', () => {
  const OLD_KEY = 'arn:aws:kms:eu-west-1:111111111111:key/old';
  const NEW_KEY = 'arn:aws:kms:eu-west-1:111111111111:key/new';
  const withKey = (KmsKeyId?: string): Resources => ({
    S: { ...secret('s'), Properties: { Name: 's', KmsKeyId } },
  });
  const version = (...stages: string[]) =>
    onlySecret().versions.set(stages[0]!, {
      versionId: stages[0]!,
      createdAtMs: 0,
      secretString: 'value',
      stages: new Set(stages),
    });
  const keysOf = () =>
    [...onlySecret().versions.values()].map(({ versionId, keyIds }) => [versionId, keyIds]);
  beforeEach(() => {
    const Statement = { Effect: 'Allow', Principal: '*', Action: 'kms:*', Resource: '*' } as const;
    for (const arn of [OLD_KEY, NEW_KEY]) account.keys.set(arn, { arn, policy: { Statement } });
  });

  // Secrets Manager user guide, manage_update-encryption-key.
  test('also encrypts the versions with labels of AWS, and no others', () => {
    const first = deploy(withKey(OLD_KEY));
    version('AWSCURRENT');
    version('AWSPREVIOUS');
    version('LATCHKEY_CANDIDATE');

    const second = deploy(withKey(NEW_KEY), first);

    expect(onlySecret().kmsKeyArn).toBe(NEW_KEY);
    expect(keysOf()).toEqual([
      ['AWSCURRENT', [NEW_KEY, OLD_KEY]],
      ['AWSPREVIOUS', [NEW_KEY, OLD_KEY]],
      ['LATCHKEY_CANDIDATE', [OLD_KEY]],
    ]);
    deploy(withKey(), second);
    expect(keysOf()[0]).toEqual(['AWSCURRENT', ['aws/secretsmanager', NEW_KEY, OLD_KEY]]);
  });

  test('encrypts no existing version if the old key cannot be used anymore', () => {
    deploy(withKey(OLD_KEY));
    version('AWSCURRENT');
    account.keys.delete(OLD_KEY);

    const { accountId } = account;
    const principal = { kind: 'administrator', accountId, arn: `arn:aws:iam::${accountId}:root` } as const;
    changeKey({ account, principal }, onlySecret(), NEW_KEY);

    expect(keysOf()).toEqual([['AWSCURRENT', [OLD_KEY]]]);
  });
});
