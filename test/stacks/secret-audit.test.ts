import { matchesPattern } from 'cdk-on-loopback/testing';
import {
  type WrittenDeployment,
  ACCOUNT_ID,
  configuration,
  REGION,
  tenant,
} from '../support/lib/configuration';
import { byRole, byUser, call, type Rule, rulesOf } from '../support/lib/event-rules';
import { expectRed } from '../support/holes/expect-red';
import { isAllowed } from '../support/lib/provisioned';
import { synthesizeOnce } from '../support/lib/synthesis';

const OPERATORS = `arn:aws:iam::${ACCOUNT_ID}:role/operators-??`;
const DEPLOYER = `arn:aws:iam::${ACCOUNT_ID}:user/deployer`;
const BREAK_GLASS = `arn:aws:iam::${ACCOUNT_ID}:role/break-glass`;
const LEGACY = `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:legacy/client-AbCdEf`;
const PATH = 'latchkey/staging/global/tenant-a';

const audited = (deployment: Partial<WrittenDeployment> = {}) =>
  synthesizeOnce(
    configuration({
      auditSecrets: true,
      secretReaders: { breakGlassRoleArn: BREAK_GLASS, credentials: [OPERATORS, DEPLOYER] },
      tenants: [tenant('tenant-a'), { ...tenant('tenant-b'), adopt: { clientCredentials: LEGACY } }],
      ...deployment,
    }),
  );

const STRANGER = byRole(`arn:aws:iam::${ACCOUNT_ID}:role/administrators`);

describe('auditSecrets', () => {
  const synthesis = audited();
  const { rules, account, roleOf } = rulesOf(synthesis);
  const notifies = (event: object) => rules.some(({ EventPattern }) => matchesPattern(EventPattern, event));
  const readOf = (secretId: string, by: object = STRANGER) =>
    notifies(call('secretsmanager', 'GetSecretValue', { requestParameters: { secretId }, ...by }));
  const arnOf = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}`;

  it.each([
    ['by name', `${PATH}/client-credentials`],
    ['by ARN', arnOf(`${PATH}/api-key-AbCdEf`)],
    ['by ARN without its last characters', arnOf(`${PATH}/api-key`)],
    ['an adopted one by name', 'legacy/client'],
    ['an adopted one by ARN', LEGACY],
  ])('notifies when a stranger reads a credential: %s', (_, secretId) => {
    expect(readOf(secretId)).toBe(true);
  });

  it('turns red when the stranger is expected by a wildcard', async () => {
    const anyAdministrator = `arn:aws:iam::${ACCOUNT_ID}:role/admin*`;
    const secretReaders = { breakGlassRoleArn: BREAK_GLASS, credentials: [anyAdministrator] };
    const wide = rulesOf(audited({ secretReaders })).rules;
    const secretId = `${PATH}/client-credentials`;
    const read = call('secretsmanager', 'GetSecretValue', { requestParameters: { secretId }, ...STRANGER });
    const expectNotice = (ofRules: Rule[]) =>
      expect(ofRules.some(({ EventPattern }) => matchesPattern(EventPattern, read))).toBe(true);

    expectNotice(rules);
    await expectRed(() => expectNotice(wide));
  });

  it.each([
    ['a token', `${PATH}/token/content/api-read`],
    ['a secret of another deployment', 'latchkey/staging/mea/tenant-a/api-key'],
    ['a secret of others', 'team/database'],
  ])('is silent about %s', (_, secretId) => {
    expect(readOf(secretId)).toBe(false);
  });

  it.each([
    ['our functions', () => byRole(roleOf('token-refresh')), false],
    ['a named role', () => byRole(OPERATORS.replace('??', 'eu')), false],
    ['a named user', () => byUser(DEPLOYER), false],
    ['another user', () => byUser(`arn:aws:iam::${ACCOUNT_ID}:user/other`), true],
    [
      'a principal of another account, without an ARN',
      () => ({ userIdentity: { type: 'AWSAccount' } }),
      true,
    ],
    ['the root user', () => byUser(`arn:aws:iam::${ACCOUNT_ID}:root`), true],
    ['the break-glass role', () => byRole(BREAK_GLASS), true],
    ['a role of another deployment', () => byRole(roleOf('token-refresh').replace('global', 'mea')), true],
  ])('tells who reads: %s', (_, by, isNotified) => {
    expect(readOf(`${PATH}/api-key`, by())).toBe(isNotified);
  });

  it('sees reads, which EventBridge leaves out by default', () => {
    expect(rules.map(({ State }) => State).sort()).toEqual([
      'ENABLED',
      'ENABLED',
      'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS',
    ]);
    const read = rules.find(({ State }) => State !== 'ENABLED')!;
    expect(JSON.stringify(read)).toContain('"GetSecretValue"');
  });

  it.each(['PutResourcePolicy', 'DeleteResourcePolicy', 'DeleteSecret', 'ReplicateSecretToRegions'])(
    'notifies of %s on any secret, but not by a stack',
    (eventName) => {
      const requestParameters = { secretId: arnOf(`${PATH}/token/content/api-read-AbCdEf`) };
      const sourceIPAddress = 'cloudformation.amazonaws.com';

      expect(notifies(call('secretsmanager', eventName, { requestParameters }))).toBe(true);
      expect(notifies(call('secretsmanager', eventName, { requestParameters, sourceIPAddress }))).toBe(false);
    },
  );

  it.each(['DisableKey', 'ScheduleKeyDeletion', 'PutKeyPolicy'])('notifies of %s on our key only', (name) => {
    const [arn] = [...account.keys.keys()];
    const on = (keyId: string) => notifies(call('kms', name, { requestParameters: { keyId } }));

    expect([arn!, arn!.split('/')[1]!, 'other'].map(on)).toEqual([true, true, false]);
  });

  it('its role may publish to the topic, and use the topic’s key through SNS alone', () => {
    const roleArn = roleOf('the rules');
    const [topic] = [...account.topics.values()];
    const key = account.keys.get(topic!.kmsKeyArn!)!;
    const mayDecrypt = (service: string) =>
      isAllowed(
        { account, roleArn },
        'kms:Decrypt',
        { arn: key.arn, owner: account, policy: key.policy },
        { 'kms:ViaService': `${service}.${REGION}.amazonaws.com` },
      );

    expect(isAllowed({ account, roleArn }, 'sns:Publish', { arn: topic!.arn, owner: account })).toBe(true);
    expect([mayDecrypt('sns'), mayDecrypt('secretsmanager')]).toEqual([true, false]);
  });

  it('its messages pass the filter of e-mail subscriptions', () => {
    const messages = synthesis
      .properties('AWS::Events::Rule')
      .flatMap(({ Targets }) => Targets as { InputTransformer: { InputTemplate: string } }[])
      .map(({ InputTransformer }) => InputTransformer.InputTemplate);

    expect(messages).toHaveLength(3);
    for (const message of messages) expect(message).toContain('"NewStateValue":"ALARM"');
  });

  it('sends to a topic of your own', () => {
    const topicArn = `arn:aws:sns:${REGION}:${ACCOUNT_ID}:pager`;
    const targets = audited({ alarms: { topicArn } })
      .properties('AWS::Events::Rule')
      .flatMap(({ Targets }) => Targets as { Arn: unknown }[]);

    expect(targets.map(({ Arn }) => Arn)).toEqual([topicArn, topicArn, topicArn]);
  });

  it('is off by default', () => {
    expect(audited({ auditSecrets: false }).resources('AWS::Events::Rule')).toEqual([]);
  });
});
