import { ArnFormat, Stack } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

import { allow } from '../internal/allow';
import { alarmNamePrefix } from '../../../core/alarms/alarms';
import { issuedKindsOf } from '../../../core/deployment/deployment-file';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { deploymentText } from '../../../core/tokens/token-key';
import { acknowledge, acknowledgeOwnPolicy } from '../internal/acknowledge';
import { createRole, roleOf } from '../internal/deployment-role';
import { viaService } from '../internal/key-statement';
import { adoptedNames, anyRequestedName, requestedNames } from '../internal/secret-arns';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';

export interface SecretAuditProps {
  readonly deployment: DeploymentSettings;
  /** The roles of our functions, whose reads are expected. */
  readonly functionRoleArns: readonly string[];
  /** Receives a message for each event. */
  readonly topic: sns.ITopic;
}

/** Leaves out calls that CloudFormation makes for a deployment: its stack events show them. */
const BY_NO_STACK = { sourceIPAddress: [{ 'anything-but': 'cloudformation.amazonaws.com' }] };

/**
 * Notifies a topic when somebody else reads a credential, and when somebody deletes a secret, copies it to another AWS
 * region, changes its policy, or disables or deletes the key. EventBridge sees this only if a trail of the account records management events.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/cloudtrail_log_entries.html
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail.html
 */
export class SecretAudit extends Construct {
  private readonly props: SecretAuditProps;
  private readonly role: iam.IRole;
  /** By its ARN, so that CDK does not grant the role more of the topic's key than publishing takes. */
  private readonly topic: sns.ITopic;

  constructor(scope: Construct, id: string, props: SecretAuditProps) {
    super(scope, id);
    withDeployment(this, props);
    this.props = props;
    // A role, because the key policy of an encrypted topic cannot name the rules for the service:
    // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
    this.role = createRole(this, 'Role', roleOf(props.deployment, 'secret-audit'), {
      description: 'Role of the rules that notify of access to secrets',
      assumedBy: new iam.ServicePrincipal('events.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    this.topic = sns.Topic.fromTopicArn(this, 'Topic', props.topic.topicArn);
    this.allowEncrypting();
    const { file } = props.deployment;
    const credentials = issuedKindsOf(file).flatMap((kind) => requestedNames(this, file, kind));
    const adopted = adoptedNames(file, CREDENTIAL_KINDS);
    const reads = this.createRule('Reads', 'secretsmanager', '$.detail.requestParameters.secretId', {
      eventName: ['GetSecretValue'],
      requestParameters: { secretId: [...credentials, ...adopted] },
      $or: this.unexpectedReaders(),
    });
    // Reads are left out by default: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail-management.html
    reads.state = 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS';
    this.createRule('Changes', 'secretsmanager', '$.detail.requestParameters.secretId', {
      eventName: ['PutResourcePolicy', 'DeleteResourcePolicy', 'DeleteSecret', 'ReplicateSecretToRegions'],
      requestParameters: { secretId: [...anyRequestedName(this, file), ...adopted] },
      ...BY_NO_STACK,
    });
    this.createRule('Key', 'kms', '$.detail.requestParameters.keyId', {
      eventName: ['DisableKey', 'ScheduleKeyDeletion', 'PutKeyPolicy'],
      requestParameters: { keyId: this.keyNames() },
      ...BY_NO_STACK,
    });
    acknowledgeOwnPolicy(this.role);
  }

  private createRule(
    id: string,
    service: 'secretsmanager' | 'kms',
    subject: string,
    detail: Record<string, unknown>,
  ): events.CfnRule {
    const { deployment } = this.props;
    const at = (path: string) => events.EventField.fromPath(path);
    const rule = new events.Rule(this, id, {
      description: `Latchkey: access to secrets of ${deploymentText(deployment.file)}`,
      eventPattern: {
        source: [`aws.${service}`],
        detailType: ['AWS API Call via CloudTrail'],
        detail: { eventSource: [`${service}.amazonaws.com`], ...detail },
      },
      targets: [
        new targets.SnsTopic(this.topic, {
          role: this.role,
          // Like an alarm, for subscriptions that let only alarms through.
          message: events.RuleTargetInput.fromObject({
            AlarmName: `${alarmNamePrefix(deployment.prefix, deployment.file)}audit`,
            NewStateValue: 'ALARM',
            NewStateReason: `${at('$.detail.eventName')} of ${at(subject)} by ${at('$.detail.userIdentity.arn')} from ${at('$.detail.sourceIPAddress')}`,
            StateChangeTime: at('$.detail.eventTime'),
            EventId: at('$.detail.eventID'),
          }),
        }),
      ],
    });
    const cfnRule = rule.node.defaultChild as events.CfnRule;
    acknowledge(
      cfnRule,
      ['Serverless-EventBusDLQ'],
      'EventBridge repeats a notification for a day, and the trail keeps the event.',
    );
    return cfnRule;
  }

  private allowEncrypting(): void {
    const { masterKey } = this.props.topic;
    if (masterKey === undefined) return;
    allow(this.role, ['kms:Decrypt', 'kms:GenerateDataKey'], [masterKey.keyArn], {
      StringEquals: { 'kms:ViaService': viaService(this, 'sns') },
    });
  }

  /** Matches unexpected roles, and principals without a role: users, root, and principals of other accounts, logged by id. */
  private unexpectedReaders(): unknown[] {
    const { deployment, functionRoleArns } = this.props;
    const expectedReaders = deployment.options.secretReaders?.credentials ?? [];
    // EventBridge has no `?`, and there are fewer notifications with `*`.
    const readerPatterns = expectedReaders.map((arn) => arn.replaceAll('?', '*'));
    const users = readerPatterns.filter((arn) => arn.includes(':user/'));
    const role = (arn: unknown) => ({ sessionContext: { sessionIssuer: { arn: [arn] } } });
    return [
      { userIdentity: role({ 'anything-but': { wildcard: [...functionRoleArns, ...readerPatterns] } }) },
      {
        userIdentity: {
          ...role({ exists: false }),
          ...(users.length > 0 && { arn: [{ 'anything-but': { wildcard: users } }, { exists: false }] }),
        },
      },
    ];
  }

  /** The key's id and ARN. */
  private keyNames(): string[] {
    const encryptionKeyArn = this.props.deployment.encryptionKey.keyArn;
    const { resourceName } = Stack.of(this).splitArn(encryptionKeyArn, ArnFormat.SLASH_RESOURCE_NAME);
    return [encryptionKeyArn, resourceName!];
  }
}
