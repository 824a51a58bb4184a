import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { allow } from '../internal/allow';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type CredentialKind } from '../../../core/secrets/secret-names';
import { SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';
import { deploymentText } from '../../../core/tokens/token-key';
import { acknowledge } from '../internal/acknowledge';
import { type BundledFunction } from '../internal/bundled-function';
import { adoptedNames, requestedNames } from '../internal/secret-arns';

export interface SecretChangesProps {
  readonly deployment: DeploymentFile;
  /** Gets the changes, a batch of them at a time. */
  readonly consumer: BundledFunction;
  /** The credentials whose changes it gets. */
  readonly kind: CredentialKind;
  /** The roles that write tokens. @default changes of tokens are left out */
  readonly tokenWriters?: readonly string[];
}

/** Calls that change which value is current, whether a secret can be read, or the record of proven keys. */
const CHANGES = [
  'PutSecretValue',
  'UpdateSecret',
  'UpdateSecretVersionStage',
  'DeleteSecret',
  'RestoreSecret',
  'TagResource',
  'UntagResource',
];

/**
 * Tells a function which secrets changed. EventBridge sees the calls only if a trail of the account records management
 * events. A queue collects changes, so that many at once start one run, which limits its token requests. If the run fails, the
 * queue delivers the changes again.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
 */
export class SecretChanges extends Construct {
  private readonly props: SecretChangesProps;

  constructor(scope: Construct, id: string, props: SecretChangesProps) {
    super(scope, id);
    this.props = props;
    const { deployment } = props;
    const queue = new sqs.Queue(this, 'Queue', {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // By then, a scheduled run of the function has found the change.
      retentionPeriod: Duration.hours(1),
      visibilityTimeout: Duration.seconds(SWEEP_INTERVAL_SEC),
    });
    acknowledge(
      queue.node.defaultChild,
      ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy'],
      'A change that was not handled within the hour is found by the function itself, so nobody needs its message.',
    );
    this.createRule('Credentials', queue, {
      requestParameters: {
        secretId: [
          ...requestedNames(this, deployment, props.kind),
          ...adoptedNames(deployment, [props.kind]),
        ],
      },
    });
    if (props.tokenWriters !== undefined) {
      this.createRule('Tokens', queue, {
        requestParameters: { secretId: requestedNames(this, deployment, 'token/*') },
        $or: byOthersThan(props.tokenWriters),
      });
    }
    this.consume(queue);
  }

  private createRule(id: string, queue: sqs.IQueue, detail: Record<string, unknown>): void {
    const rule = new events.Rule(this, id, {
      description: `Latchkey: changed secrets of ${deploymentText(this.props.deployment)}`,
      eventPattern: {
        source: ['aws.secretsmanager'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: { eventSource: ['secretsmanager.amazonaws.com'], eventName: CHANGES, ...detail },
      },
      targets: [new targets.SqsQueue(queue)],
    });
    acknowledge(
      rule.node.defaultChild,
      ['Serverless-EventBusDLQ'],
      'Scheduled runs of the function find changes without an event.',
    );
  }

  /** Without an event source construct, which would grant the role more than receiving takes. */
  private consume(queue: sqs.IQueue): void {
    const { role, function: fn } = this.props.consumer;
    allow(role, ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [queue.queueArn]);
    const mapping = new lambda.CfnEventSourceMapping(this, 'Mapping', {
      functionName: fn.functionArn,
      eventSourceArn: queue.queueArn,
      // A message has some 2 kB, and an invocation at most 6 MB.
      batchSize: 1_000,
      maximumBatchingWindowInSeconds: 10,
      scalingConfig: { maximumConcurrency: 2 },
    });
    acknowledge(
      mapping,
      ['Serverless-LambdaEventSourceMappingDestination'],
      'The queue delivers changes again after a failed run, and scheduled runs of the function find them without it.',
    );
    // Lambda refuses the mapping if the role may not receive yet.
    mapping.node.addDependency(role);
  }
}

/** Sessions of other roles, and principals without a role. */
function byOthersThan(roleArns: readonly string[]): unknown[] {
  const issuer = (arn: unknown) => ({ userIdentity: { sessionContext: { sessionIssuer: { arn: [arn] } } } });
  return [issuer({ 'anything-but': [...roleArns] }), issuer({ exists: false })];
}
