import { matchesPattern } from 'cdk-on-loopback/testing';
import { type WrittenDeployment, ACCOUNT_ID, REGION, tenant } from '../support/lib/configuration';
import { byRole, byUser, call, rulesOf } from '../support/lib/event-rules';
import { expectRed } from '../support/holes/expect-red';
import { isAllowed } from '../support/lib/provisioned';
import { synthesisWith } from '../support/lib/synthesis';

const OPERATORS = `arn:aws:iam::${ACCOUNT_ID}:role/operators-??`;
const DEPLOYER = `arn:aws:iam::${ACCOUNT_ID}:user/deployer`;
const BREAK_GLASS = `arn:aws:iam::${ACCOUNT_ID}:role/break-glass`;
const LEGACY = `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:legacy/client-AbCdEf`;
const PATH = 'latchkey/staging/global/tenant-a';

const arnOf = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${name}`;
/** How a call names a secret. */
const FORMS = [
  ['by name', `${PATH}/client-credentials`],
  ['by ARN', arnOf(`${PATH}/client-credentials-AbCdEf`)],
  ['by ARN without its last characters', arnOf(`${PATH}/client-credentials`)],
  ['an adopted one by name', 'legacy/client'],
  ['an adopted one by ARN', LEGACY],
  ['an adopted one by ARN without its last characters', LEGACY.slice(0, -7)],
] as const;
const OF_OTHERS = ['latchkey/staging/mea/tenant-a/api-key', 'team/database'];

const withTrail = (deployment: Partial<WrittenDeployment>) =>
  synthesisWith({
    tenants: [tenant('tenant-a'), { ...tenant('tenant-b'), adopt: { clientCredentials: LEGACY } }],
    ...deployment,
  });

describe('auditSecrets', () => {
  const secretReaders = { breakGlassRoleArn: BREAK_GLASS, credentials: [OPERATORS, DEPLOYER] };
  const audited = (more: Partial<WrittenDeployment> = {}) =>
    withTrail({ auditSecrets: true, secretReaders, ...more });
  const STRANGER = byRole(`arn:aws:iam::${ACCOUNT_ID}:role/administrators`);
  const synthesis = audited();
  const { rules, account, roleOf } = rulesOf(synthesis);
  const notifies = (event: object, of = rules) =>
    of.some(({ EventPattern }) => matchesPattern(EventPattern, event));
  const readOf = (secretId: string, by: object = STRANGER, of = rules) =>
    notifies(call('secretsmanager', 'GetSecretValue', { requestParameters: { secretId }, ...by }), of);

  it.each(FORMS)('notifies when a stranger reads a credential: %s', (_, secretId) => {
    expect(readOf(secretId)).toBe(true);
  });

  it('turns red when the stranger is expected by a wildcard', async () => {
    const anyAdministrator = `arn:aws:iam::${ACCOUNT_ID}:role/admin*`;
    const wide = audited({ secretReaders: { ...secretReaders, credentials: [anyAdministrator] } });

    await expectRed(() =>
      expect(readOf(`${PATH}/client-credentials`, STRANGER, rulesOf(wide).rules)).toBe(true),
    );
  });

  it.each([`${PATH}/token/content/api-read`, ...OF_OTHERS])('is silent about %s', (secretId) => {
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
});

describe('trailEvents', () => {
  const synthesis = withTrail({ trailEvents: true });
  const { rules, roleOf } = rulesOf(synthesis);
  /** The functions that hear of a change, by their queues. */
  const heardBy = (
    eventName: string,
    secretId: string,
    by: object = byUser(`arn:aws:iam::${ACCOUNT_ID}:user/somebody`),
  ): string[] => {
    const event = call('secretsmanager', eventName, { requestParameters: { secretId }, ...by });
    const targets = synthesis.properties('AWS::Events::Rule').map(({ Targets }) => JSON.stringify(Targets));
    const queues = targets.filter((_, index) => matchesPattern(rules[index]!.EventPattern, event));
    return queues.map((queue) => (queue.includes('Tokens') ? 'token-sweep' : 'rotate-credentials'));
  };

  it.each(FORMS)('tells token-sweep of changed client credentials: %s', (_, secretId) => {
    expect(heardBy('PutSecretValue', secretId)).toEqual(['token-sweep']);
  });

  it.each([
    'PutSecretValue',
    'UpdateSecret',
    'UpdateSecretVersionStage',
    'DeleteSecret',
    'RestoreSecret',
    'TagResource',
    'UntagResource',
  ])('tells rotate-credentials of %s on an API key', (eventName) => {
    expect(heardBy(eventName, arnOf(`${PATH}/api-key-AbCdEf`))).toEqual(['rotate-credentials']);
  });

  it('tells token-sweep of tokens that others changed, and not of its own', () => {
    const token = `${PATH}/token/content/api-read`;

    expect(heardBy('PutSecretValue', token)).toEqual(['token-sweep']);
    expect(heardBy('PutSecretValue', arnOf(`${token}-AbCdEf`), byRole('another'))).toEqual(['token-sweep']);
    expect(heardBy('PutSecretValue', token, byRole(roleOf('token-sweep')))).toEqual([]);
    expect(heardBy('PutSecretValue', token, byRole(roleOf('token-refresh')))).toEqual([]);
  });

  it.each([
    ['GetSecretValue', `${PATH}/client-credentials`],
    ...OF_OTHERS.map((secretId): [string, string] => ['PutSecretValue', secretId]),
  ])('tells nobody of %s of %s', (eventName, secretId) => {
    expect(heardBy(eventName, secretId)).toEqual([]);
  });

  it('hands changes over in batches, to few runs at a time', () => {
    const mappings = synthesis.properties('AWS::Lambda::EventSourceMapping');

    expect(mappings).toHaveLength(2);
    for (const mapping of mappings)
      expect(mapping).toMatchObject({ BatchSize: 1_000, ScalingConfig: { MaximumConcurrency: 2 } });
  });

  it('without API keys that open a restore API, hears of no API key', () => {
    const fewer = withTrail({ trailEvents: true, restoreApi: { enabled: false } });

    expect(fewer.resources('AWS::Events::Rule')).toHaveLength(2);
  });
});
