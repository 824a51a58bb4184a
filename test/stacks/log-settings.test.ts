import { Stack } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';

import {
  Account,
  authorize,
  LocalQueueSender,
  type PolicyStatement,
  type Topic,
  writeLogEvents,
} from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, configuration, REGION, type WrittenDeployment } from '../support/lib/configuration';
import { latchkeyIn, learningStack } from '../support/lib/learning';
import { provisionSynthesis } from '../support/lib/provisioned';
import { Synthesis, synthesizeOnce, temporaryApp } from '../support/lib/synthesis';

const LOGS_KEY = `arn:aws:kms:${REGION}:444455556666:key/mrk-0f0f0f0f111122223333444444444444`;
const TOPIC_KEY = `arn:aws:kms:${REGION}:444455556666:key/1f1f1f1f-1111-2222-3333-444444444444`;
const ADMINISTRATOR: PolicyStatement = {
  Effect: 'Allow',
  Principal: { AWS: 'arn:aws:iam::444455556666:role/key-administrator' },
  Action: 'kms:*',
  Resource: '*',
};
const withOption = (deployment: Partial<WrittenDeployment>): Synthesis =>
  synthesizeOnce(configuration(deployment));
const keyed = withOption({
  logsKmsKeyArn: LOGS_KEY,
  alarms: { topicKmsKeyArn: TOPIC_KEY, emails: ['team@example.org'] },
  auditSecrets: true,
});

/** The statements that the synthesis says, of one setting. */
function statementsFor(setting: string, synthesis = keyed): PolicyStatement[] {
  return synthesis
    .messages()
    .filter((text) => text.startsWith(`${setting}: the key’s policy must have `))
    .flatMap((text) => {
      const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
      return JSON.parse(`[${json}]`) as PolicyStatement[];
    });
}

/** An account with both keys, whose policies have these statements beside those of their administrator. */
function accountWithKeys(ofLogs: PolicyStatement[], ofTopic: PolicyStatement[]): Account {
  const account = new Account(ACCOUNT_ID, REGION);
  const put = (arn: string, statements: PolicyStatement[]) =>
    account.keys.set(arn, { arn, policy: { Statement: [ADMINISTRATOR, ...statements] } });
  put(LOGS_KEY, ofLogs);
  put(TOPIC_KEY, ofTopic);
  return account;
}

const principalOf = (roleArn: string) =>
  ({ kind: 'role-session', accountId: ACCOUNT_ID, arn: roleArn, roleArn, sessionName: 'x' }) as const;

/** Uses the keys as the deployment does, and returns what was refused. */
function refusedWith(ofLogs: PolicyStatement[], ofTopic: PolicyStatement[]): string[] {
  const refused: string[] = [];
  const account = accountWithKeys(ofLogs, ofTopic);
  try {
    provisionSynthesis(keyed, account);
  } catch (error) {
    return [(error as Error).message];
  }
  const fn = [...account.functions.values()].find(({ name }) => name.includes('TokenSweep'))!;
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      refused.push((error as Error).message);
    }
  };
  attempt(() =>
    writeLogEvents(account, principalOf(fn.roleArn), fn.logGroupName, [{ timestampMs: 0, message: 'x' }]),
  );
  const [queue] = [...account.queues.values()];
  attempt(() =>
    new LocalQueueSender(account, { nowMs: () => 0 }).send(principalOf(fn.roleArn), queue!.arn, '{}'),
  );
  const [topic] = [...account.topics.values()];
  refused.push(...refusedOfTopic(account, topic!));
  return refused;
}

/** What of a topic's key CloudWatch and the rules of the audit may not use. */
function refusedOfTopic(account: Account, { kmsKeyArn }: Topic): string[] {
  const alarm = `arn:aws:cloudwatch:${REGION}:${ACCOUNT_ID}:alarm:latchkey-staging-global/sweep-silent`;
  const audit = [...account.roles.values()].find(({ name }) => name.includes('AuditRole'))!;
  const callers = [
    {
      principal: {
        kind: 'service',
        service: 'cloudwatch.amazonaws.com',
        sourceArn: alarm,
        sourceAccount: ACCOUNT_ID,
      },
      context: {},
    },
    { principal: principalOf(audit.arn), context: { 'kms:ViaService': `sns.${REGION}.amazonaws.com` } },
  ] as const;
  return callers.flatMap(({ principal, context }) =>
    (['kms:Decrypt', 'kms:GenerateDataKey'] as const).flatMap((action) => {
      const decision = authorize(account, {
        principal,
        action,
        context,
        resource: kmsKeyArn!,
        resourceAccount: '444455556666',
        resourcePolicy: account.keys.get(kmsKeyArn!)!.policy,
      });
      return decision.allowed ? [] : [decision.message];
    }),
  );
}

describe('logsKmsKeyArn and alarms.topicKmsKeyArn', () => {
  it('are the keys of every log group, the queue and the topic', () => {
    const groups = keyed.properties('AWS::Logs::LogGroup');

    expect(groups.length).toBeGreaterThan(6);
    expect([...new Set(groups.map(({ KmsKeyId }) => KmsKeyId))]).toEqual([LOGS_KEY]);
    expect(keyed.only('AWS::SQS::Queue').Properties).toMatchObject({ KmsMasterKeyId: LOGS_KEY });
    expect(keyed.only('AWS::SNS::Topic').Properties).toMatchObject({ KmsMasterKeyId: TOPIC_KEY });
    expect(keyed.properties('AWS::KMS::Key').map(({ Description }) => Description)).toEqual([
      'Latchkey secrets of staging global',
    ]);
  });

  it('include the log group that is kept for an audit', () => {
    const synthesis = withOption({ logsKmsKeyArn: LOGS_KEY, restoreApi: { auditRetentionDays: 365 } });

    expect(synthesis.properties('AWS::Logs::LogGroup')).toContainEqual(
      expect.objectContaining({ RetentionInDays: 365, KmsKeyId: LOGS_KEY }),
    );
  });

  it('do, with the statements that the synthesis says and no others', () => {
    expect(statementsFor('logsKmsKeyArn')).toHaveLength(2);
    expect(statementsFor('alarms.topicKmsKeyArn')).toHaveLength(2);
    expect(refusedWith(statementsFor('logsKmsKeyArn'), statementsFor('alarms.topicKmsKeyArn'))).toEqual([]);
  });

  it.each([
    ['logsKmsKeyArn', 0, /key does not exist or is not allowed to be used with Arn 'arn:aws:logs:/],
    ['logsKmsKeyArn', 1, /not authorized to perform: kms:GenerateDataKey on resource: .*mrk-0f0f/],
    ['alarms.topicKmsKeyArn', 0, /perform: kms:GenerateDataKey on resource: .*1f1f1f1f/],
    ['alarms.topicKmsKeyArn', 1, /perform: kms:Decrypt on resource: .*1f1f1f1f/],
  ])('without statement %s %i fail with %s', (setting, index, refusal) => {
    const without = (of: string) =>
      statementsFor(of).filter((_, position) => of !== setting || position !== index);

    const refused = refusedWith(without('logsKmsKeyArn'), without('alarms.topicKmsKeyArn'));

    expect(refused).toContainEqual(expect.stringMatching(refusal));
  });

  it('are said without what only the deployment knows', () => {
    const synthesis = withOption({ logsKmsKeyArn: LOGS_KEY, account: undefined, region: undefined });

    expect(statementsFor('logsKmsKeyArn', synthesis)).toContainEqual(
      expect.objectContaining({ Principal: { Service: 'logs.${AWS::Region}.${AWS::URLSuffix}' } }),
    );
  });
});

describe('resources.logsEncryptionKey and resources.alarmTopicKey', () => {
  it('get the statements in their policies', () => {
    const app = temporaryApp();
    const security = new Stack(app, 'security', { env: { account: ACCOUNT_ID, region: REGION } });
    const [logsEncryptionKey, alarmTopicKey] = [
      new kms.Key(security, 'Logs'),
      new kms.Key(security, 'Topic'),
    ];
    latchkeyIn(learningStack(app), { resources: { logsEncryptionKey, alarmTopicKey } });
    const synthesis = new Synthesis(app);
    const policies = synthesis
      .resourcesOf('security', 'AWS::KMS::Key')
      .map(({ Properties }) => JSON.stringify(Properties.KeyPolicy));

    expect(policies[0]).toContain('"logs.eu-west-1.amazonaws.com"');
    expect(policies[0]).toContain('log-group:learning-*');
    expect(policies[1]).toContain('"cloudwatch.amazonaws.com"');
    expect(statementsFor('logsKmsKeyArn', synthesis)).toEqual([]);
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
