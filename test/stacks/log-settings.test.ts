import { Stack } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';

import { Account, authorize, type PolicyStatement } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, EVERY_OPTION, REGION, type WrittenDeployment } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { latchkeyIn, learningStack } from '../support/lib/learning';
import { provisionSynthesis } from '../support/lib/provisioned';
import { type PlacedResource, Synthesis, synthesisWith, temporaryApp } from '../support/lib/synthesis';

describe('log groups', () => {
  /** The logical id of the group to which a function, or a stage's access log, writes. */
  function groupOf({ Type, Properties }: PlacedResource): string | undefined {
    const target =
      Type === 'AWS::Lambda::Function'
        ? (Properties.LoggingConfig as { LogGroup?: unknown } | undefined)?.LogGroup
        : (Properties.AccessLogSetting as { DestinationArn?: unknown } | undefined)?.DestinationArn;
    return /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(target) ?? '')?.[1];
  }

  it.each<[string, Partial<WrittenDeployment>]>([
    ['every option', EVERY_OPTION],
    ...Object.entries(EDGES).map(([name, restoreApi]): [string, object] => [name, { restoreApi }]),
  ])('with %s are declared for all that writes logs, and keep nothing forever', (_, deployment) => {
    const synthesis = synthesisWith({ ...deployment, logRetentionDays: 30 });
    const writers = ['AWS::Lambda::Function', 'AWS::ApiGateway::Stage'].flatMap((type) =>
      synthesis.resources(type),
    );
    const groups = synthesis.resources('AWS::Logs::LogGroup');

    expect(writers.length).toBeGreaterThan(5);
    expect(writers.map((writer) => [writer.stack, groupOf(writer)])).toEqual(
      writers.map(({ stack }) => [stack, expect.any(String) as string]),
    );
    expect(groups.map(({ Properties }) => Properties.RetentionInDays)).toEqual(groups.map(() => 30));
    expect(groups.map(({ logicalId }) => logicalId)).toEqual(
      expect.arrayContaining(writers.map((writer) => groupOf(writer))),
    );
    // Such as one of the CDK that sets the retention, which would have a log group of its own.
    const unknown = synthesis
      .resources()
      .filter(({ Type }) => /^Custom::|CustomResource$|::Stack$/.test(Type));
    expect(unknown).toEqual([]);
  });
});

const [LOGS_KEY, TOPIC_KEY] = ['mrk-0f0f', 'mrk-1f1f'].map(
  (id) => `arn:aws:kms:${REGION}:444455556666:key/${id}`,
) as [string, string];
const LOG_GROUP = `arn:aws:logs:${REGION}:${ACCOUNT_ID}:log-group:latchkey-staging-global-TokensLogs`;

interface Use {
  principal: Parameters<typeof authorize>[1]['principal'];
  context: Record<string, string>;
}

const byService = (name: string, sourceArn: string, context: Record<string, string> = {}): Use => ({
  principal: { kind: 'service', service: name, sourceArn, sourceAccount: ACCOUNT_ID },
  context,
});
const byLogs = (logGroup = LOG_GROUP) =>
  byService(`logs.${REGION}.amazonaws.com`, logGroup, { 'kms:EncryptionContext:aws:logs:arn': logGroup });
const byAlarm = (name: string) =>
  byService('cloudwatch.amazonaws.com', `arn:aws:cloudwatch:${REGION}:${ACCOUNT_ID}:alarm:${name}`);
const byRole = (roleArn: string, service: string): Use => ({
  principal: { kind: 'role-session', accountId: ACCOUNT_ID, arn: roleArn, roleArn, sessionName: 'x' },
  context: { 'kms:ViaService': `${service}.${REGION}.amazonaws.com` },
});

/** Whether somebody may encrypt with a key that has these statements in its policy. */
const mayUse = (account: Account, arn: string, Statement: PolicyStatement[], use: Use) =>
  ['kms:Decrypt', 'kms:GenerateDataKey'].every(
    (action) =>
      authorize(account, {
        ...use,
        action,
        resource: arn,
        resourceAccount: arn.split(':')[4]!,
        resourcePolicy: { Statement },
      }).allowed,
  );

describe('logsKmsKeyArn and alarms.topicKmsKeyArn', () => {
  const keyed = synthesisWith({
    logsKmsKeyArn: LOGS_KEY,
    alarms: { topicKmsKeyArn: TOPIC_KEY },
    auditSecrets: true,
    restoreApi: { auditRetentionDays: 365 },
  });
  const [ofLogs, ofTopic] = ['logsKmsKeyArn', 'alarms.topicKmsKeyArn'].map((setting) =>
    keyed.statementsForKey(setting),
  ) as [PolicyStatement[], PolicyStatement[]];
  const inAccount = new Account(ACCOUNT_ID, REGION);
  inAccount.keys.set(LOGS_KEY, { arn: LOGS_KEY, policy: { Statement: ofLogs } });
  inAccount.keys.set(TOPIC_KEY, { arn: TOPIC_KEY, policy: { Statement: ofTopic } });
  const { account, roles } = provisionSynthesis(keyed, inAccount);
  const [sweep, rules] = ['of token-sweep', 'rules'].map(
    (name) => roles.find(({ description }) => description.includes(name))!.arn,
  ) as [string, string];

  it('are the keys of every log group, the queue and the topic', () => {
    const groups = keyed.properties('AWS::Logs::LogGroup');

    expect(groups.map(({ RetentionInDays }) => RetentionInDays)).toContain(365);
    expect([...new Set(groups.map(({ KmsKeyId }) => KmsKeyId))]).toEqual([LOGS_KEY]);
    expect(keyed.only('AWS::SQS::Queue').Properties).toMatchObject({ KmsMasterKeyId: LOGS_KEY });
    expect(keyed.only('AWS::SNS::Topic').Properties).toMatchObject({ KmsMasterKeyId: TOPIC_KEY });
    expect(keyed.properties('AWS::KMS::Key').map(({ Description }) => Description)).toEqual([
      'Latchkey secrets of staging global',
    ]);
  });

  it.each([
    ['CloudWatch Logs', LOGS_KEY, ofLogs, byLogs(), byLogs(LOG_GROUP.replace('latchkey', 'other'))],
    ['the queue', LOGS_KEY, ofLogs, byRole(sweep, 'sqs'), byRole(sweep, 's3')],
    ['alarms', TOPIC_KEY, ofTopic, byAlarm('latchkey-staging-global/tokens'), byAlarm('other/tokens')],
    ['the rules of the audit', TOPIC_KEY, ofTopic, byRole(rules, 'sns'), byRole(sweep, 'sns')],
  ])('need a statement in the policy, which the synthesis says: for %s', (_, arn, said, use, other) => {
    expect(said).toHaveLength(2);
    expect(said.filter((each) => mayUse(account, arn, [each], use))).toHaveLength(1);
    expect(mayUse(account, arn, said, other)).toBe(false);
  });

  it('are said without what only the deployment knows', () => {
    const synthesis = synthesisWith({ logsKmsKeyArn: LOGS_KEY, account: undefined, region: undefined });

    expect(synthesis.statementsForKey('logsKmsKeyArn')).toContainEqual(
      expect.objectContaining({ Principal: { Service: 'logs.${AWS::Region}.${AWS::URLSuffix}' } }),
    );
  });
});

describe('logsKmsKeyArn deployment', () => {
  const synthesis = synthesisWith({ logsKmsKeyArn: 'deployment' });
  const { account, roles } = provisionSynthesis(synthesis);

  it('encrypts every log group and the queue with the deployment’s key', () => {
    const groups = synthesis.properties('AWS::Logs::LogGroup');
    const KmsKeyId = { 'Fn::GetAtt': [synthesis.only('AWS::KMS::Key').logicalId, 'Arn'] };

    expect(groups.map((group) => group.KmsKeyId)).toEqual(groups.map(() => KmsKeyId));
    expect(synthesis.only('AWS::SQS::Queue').Properties).toMatchObject({ KmsMasterKeyId: KmsKeyId });
    expect(synthesisWith({}).properties('AWS::Logs::LogGroup')[0]).not.toHaveProperty('KmsKeyId');
  });

  it('lets CloudWatch Logs use the key for these log groups only, and who sends dead letters', () => {
    const mayUseKey = (use: Use, of = account) => {
      const [{ arn, policy }] = [...of.keys.values()] as [{ arn: string; policy: { Statement: never } }];
      return mayUse(of, arn, policy.Statement, use);
    };
    const senders = roles.filter(({ arn }) => mayUseKey(byRole(arn, 'sqs')));

    expect(mayUseKey(byLogs())).toBe(true);
    expect(mayUseKey(byLogs(LOG_GROUP.replace('latchkey', 'other')))).toBe(false);
    expect(mayUseKey(byLogs(), provisionSynthesis(synthesisWith({})).account)).toBe(false);
    expect(senders.map(({ description }) => description)).toEqual([
      'Role of token-refresh of staging global',
      'Role of token-sweep of staging global',
      'Role of the schedule that starts token-sweep',
      'Role of rotate-credentials of staging global',
      'Role of the schedule that starts rotate-credentials',
      'Role of credential-watch of staging global',
      'Role of the schedule that starts credential-watch',
    ]);
  });

  it.each([
    ['cn-north-1', 'logs.cn-north-1.amazonaws.com.cn'],
    [undefined, { 'Fn::Join': ['', ['logs.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]] }],
  ])('names the service of the region %s', (region, service) => {
    const { Properties } = synthesisWith({ logsKmsKeyArn: 'deployment', region }).only('AWS::KMS::Key');
    const { Statement } = Properties.KeyPolicy as { Statement: { Principal: object }[] };

    expect(Statement.map(({ Principal }) => Principal)).toContainEqual({ Service: service });
  });
});

describe('resources.logsEncryptionKey and resources.alarmTopicKey', () => {
  it('get the statements in their policies', () => {
    const app = temporaryApp();
    const security = new Stack(app, 'security', { env: { account: ACCOUNT_ID, region: REGION } });
    const [logsEncryptionKey, alarmTopicKey] = ['Logs', 'Topic'].map((id) => new kms.Key(security, id));
    latchkeyIn(learningStack(app), { resources: { logsEncryptionKey, alarmTopicKey } });
    const synthesis = new Synthesis(app);
    const policies = synthesis
      .resourcesOf('security', 'AWS::KMS::Key')
      .map(({ Properties }) => JSON.stringify(Properties.KeyPolicy));

    expect(policies[0]).toContain('"logs.eu-west-1.amazonaws.com"');
    expect(policies[0]).toContain('log-group:learning-*');
    expect(policies[1]).toContain('"cloudwatch.amazonaws.com"');
    expect(synthesis.statementsForKey('logsKmsKeyArn')).toEqual([]);
  });

  it('follow the rules of a configuration file', () => {
    const stack = learningStack();
    const elsewhere = kms.Key.fromKeyArn(stack, 'Key', LOGS_KEY.replace(REGION, 'us-east-1'));
    const alarmTopic = sns.Topic.fromTopicArn(stack, 'Own', `arn:aws:sns:${REGION}:${ACCOUNT_ID}:pager`);
    const resources = { logsEncryptionKey: elsewhere, alarmTopicKey: elsewhere, alarmTopic };

    expect(() => latchkeyIn(stack, { resources })).toThrow(
      [
        `resources.logsEncryptionKey: found "${elsewhere.keyArn}"; allowed: a key in eu-west-1, the region of the log groups and the queue`,
        `resources.alarmTopicKey: found "${elsewhere.keyArn}"; allowed: nothing together with resources.alarmTopic: your topic has its own key`,
        `resources.alarmTopicKey: found "${elsewhere.keyArn}"; allowed: a key in eu-west-1, the region of the topic`,
      ].join('\n  '),
    );
    const twice = { logsKmsKeyArn: 'deployment', resources: { logsEncryptionKey: elsewhere } };
    expect(() => latchkeyIn(learningStack(), twice)).toThrow(
      'logsKmsKeyArn: found "deployment"; allowed: nothing together with resources.logsEncryptionKey',
    );
  });
});
