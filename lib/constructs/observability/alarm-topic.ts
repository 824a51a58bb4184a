import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

import { alarmNamePrefix } from '../../../contract/alarms';
import { type DeploymentFile } from '../../../contract/deployment-file';

export interface AlarmTopicProps {
  readonly deployment: DeploymentFile;
  /**
   * Encrypts the messages. Must be a key of this app, because its policy is extended.
   * @default a new key for the topic
   */
  readonly encryptionKey?: kms.Key;
  /** @default no e-mail subscriptions */
  readonly emails?: string[];
}

/** The encrypted, TLS-only topic of one deployment. Only the alarms of the deployment and its tenants may publish to it. */
export class AlarmTopic extends Construct {
  readonly topic: sns.ITopic;

  constructor(scope: Construct, id: string, props: AlarmTopicProps) {
    super(scope, id);
    const { environment, platformRegion } = props.deployment;
    const encryptionKey =
      props.encryptionKey ??
      new kms.Key(this, 'Key', {
        description: `Latchkey alarms of ${environment} ${platformRegion}`,
        enableKeyRotation: true,
        // Unlike the secrets' key, it encrypts nothing that is stored.
        removalPolicy: RemovalPolicy.DESTROY,
      });
    const topic = new sns.Topic(this, 'Topic', {
      displayName: `Latchkey ${environment} ${platformRegion}`,
      masterKey: encryptionKey,
      enforceSSL: true,
    });
    const alarms = this.alarmsOf(props.deployment);
    // Without this, notifications fail silently: only the alarm's history shows the error.
    encryptionKey.addToResourcePolicy(admitAlarms(alarms, ['kms:Decrypt', 'kms:GenerateDataKey*'], '*'));
    topic.addToResourcePolicy(admitAlarms(alarms, ['sns:Publish'], topic.topicArn));
    for (const email of props.emails ?? []) {
      topic.addSubscription(new subscriptions.EmailSubscription(email));
    }
    this.topic = topic;
  }

  private alarmsOf(deployment: DeploymentFile): { account: string; pattern: string } {
    const stack = Stack.of(this);
    const pattern = stack.formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: `${alarmNamePrefix(deployment.prefix, deployment)}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return { account: stack.account, pattern };
  }
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
