import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

import { alarmNamePrefix } from '../../../core/alarms/alarms';
import { deploymentText } from '../../../core/tokens/token-key';
import { acknowledge } from '../internal/acknowledge';
import { ConfigurationError } from '../../options/configuration-error';
import { requireInKeyPolicy, sayMissingInKeyPolicy } from '../internal/key-policy';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';

/**
 * E-mails only about an alarm that goes into alarm or leaves it. A new alarm goes from INSUFFICIENT_DATA to OK, which is
 * neither. CDK's own filters cannot say "or".
 * @see https://docs.aws.amazon.com/sns/latest/dg/and-or-logic.html
 * @see docs/decisions/0022-an-alarm-that-is-over.md
 */
const INTO_OR_OUT_OF_ALARM = { $or: [{ NewStateValue: ['ALARM'] }, { OldStateValue: ['ALARM'] }] };

export interface AlarmTopicProps {
  readonly deployment: DeploymentSettings;
  /**
   * Encrypts the messages. Latchkey extends the policy of a key of your app; for an imported key, the synthesis says what its
   * owner must add.
   * @default a new key for the topic
   */
  readonly encryptionKey?: kms.IKey;
}

/** Makes an alarm notify the topic when it goes into alarm and when it returns to OK, so that a pager resolves the incident. */
export function notify(topic: sns.ITopic, alarm: cloudwatch.AlarmBase): void {
  const action = new actions.SnsAction(topic);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
}

/** The encrypted, TLS-only topic of one deployment. Only the alarms of the deployment and its tenants may publish to it. */
export class AlarmTopic extends Construct {
  readonly topic: sns.ITopic;

  constructor(scope: Construct, id: string, props: AlarmTopicProps) {
    super(scope, id);
    withDeployment(this, props);
    const encryptionKey =
      props.encryptionKey ??
      new kms.Key(this, 'Key', {
        description: `Latchkey alarms of ${deploymentText(props.deployment.file)}`,
        enableKeyRotation: true,
        // Unlike the secrets' key, it encrypts nothing that is stored.
        removalPolicy: RemovalPolicy.DESTROY,
      });
    const topic = new sns.Topic(this, 'Topic', {
      displayName: `Latchkey ${deploymentText(props.deployment.file)}`,
      masterKey: encryptionKey,
      enforceSSL: true,
    });
    const alarms = alarmsOf(this, props.deployment);
    // Without this, notifications fail silently: only the alarm's history shows the error.
    requireInKeyPolicy(this, props.deployment.settingOf('alarmTopicKey'), encryptionKey, [
      admitAlarms(alarms, KEY_ACTIONS, '*'),
    ]);
    topic.addToResourcePolicy(admitAlarms(alarms, ['sns:Publish'], topic.topicArn));
    for (const email of props.deployment.options.alarms.emails) {
      const subscription = topic.addSubscription(new subscriptions.EmailSubscription(email));
      const cfnSubscription = subscription.node.defaultChild as sns.CfnSubscription;
      cfnSubscription.filterPolicy = INTO_OR_OUT_OF_ALARM;
      cfnSubscription.filterPolicyScope = 'MessageBody';
      acknowledge(
        cfnSubscription,
        ['Serverless-SNSRedrivePolicy'],
        'SNS repeats an e-mail by itself, and nobody would read a queue of late ones; the alarm’s history has each.',
      );
    }
    this.topic = topic;
  }
}

/**
 * Lets the alarms use the key of an existing topic. The key of a topic that is imported by its ARN is not known, so the synthesis
 * says what its policy must have.
 * @throws {ConfigurationError} for the AWS managed key, whose policy lets no alarm publish
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html (encrypted topics)
 */
export function admitAlarmsTo(scope: Construct, topic: sns.ITopic, deployment: DeploymentSettings): void {
  const { masterKey } = topic;
  const statement = admitAlarms(alarmsOf(scope, deployment), KEY_ACTIONS, '*');
  const setting = deployment.settingOf('alarmTopic');
  if (masterKey === undefined) {
    if (topic.node.defaultChild === undefined)
      sayMissingInKeyPolicy(scope, setting, 'if the topic is encrypted, its key’s policy', [statement]);
  } else if (/alias\/aws\//.test(masterKey.keyArn)) {
    const allowed = 'a topic with a key of yours: the policy of the AWS managed key lets no alarm publish';
    throw new ConfigurationError(scope.node.path, [
      `resources.alarmTopic: found a topic with the AWS managed key; allowed: ${allowed}`,
    ]);
  } else requireInKeyPolicy(scope, setting, masterKey, [statement]);
}

const KEY_ACTIONS = ['kms:Decrypt', 'kms:GenerateDataKey*'];

function alarmsOf(scope: Construct, deployment: DeploymentSettings): { account: string; pattern: string } {
  const stack = Stack.of(scope);
  const pattern = stack.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: `${alarmNamePrefix(deployment.prefix, deployment.file)}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  return { account: stack.account, pattern };
}

/**
 * Allows CloudWatch to act for these alarms only.
 * @see Amazon SNS Developer Guide, "Enable compatibility between event sources from AWS services and encrypted topics"
 */
function admitAlarms(
  { account, pattern }: { account: string; pattern: string },
  actions: string[],
  resource: string,
): iam.PolicyStatement {
  return new iam.PolicyStatement({
    principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
    actions,
    resources: [resource],
    conditions: {
      StringEquals: { 'aws:SourceAccount': account },
      ArnLike: { 'aws:SourceArn': pattern },
    },
  });
}
