import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type AwsClients, type System } from './system';
import { allow, arnOf, key, outputs, policy, role, tagsOf, withStack } from './templates';

/** CloudTrail takes up to 15 minutes. */
const EVENT_SEC = 15 * 60;
/** A new rule may match nothing for a minute. */
const NEW_RULE_SEC = 60;

/** A read of a secret, as CloudTrail recorded it and EventBridge published it. */
export interface RecordedRead {
  /** How the request named the secret. */
  readonly secretId: string | undefined;
  readonly isDenied: boolean;
}

/** How requests name a secret. */
interface SecretNames {
  readonly name: string;
  readonly arn: string;
}

async function readBothWays({ secretsManager }: AwsClients, { name, arn }: SecretNames): Promise<void> {
  for (const SecretId of [name, arn]) {
    try {
      await secretsManager.send(new GetSecretValueCommand({ SecretId }));
    } catch (error) {
      if ((error as Error).name !== 'AccessDeniedException') throw error;
    }
  }
}

/**
 * Has a rule publish all reads of one secret, with a role, to an encrypted topic; reads the secret by name and by ARN, as the
 * caller and as a role that may not; and waits for the messages.
 * @returns those that came, and how the secret is named; fewer than four only after 15 minutes
 */
export function recordReads(
  system: System,
): Promise<SecretNames & { readonly reads: readonly RecordedRead[] }> {
  return withStack(system, template(system), async ({ QueueUrl, Stranger = '' }) => {
    const secret = await system.secret('one');
    await system.time.pass(NEW_RULE_SEC);
    await readBothWays(system.aws, secret);
    await readBothWays(await system.as(Stranger), secret);
    const reads: RecordedRead[] = [];
    await system.time.until(
      async () => {
        reads.push(...(await receive(system, QueueUrl!)));
        return new Set(reads.map((read) => JSON.stringify(read))).size >= 4 ? true : undefined;
      },
      { withinSec: EVENT_SEC, everySec: 30 },
    );
    return { reads, ...secret };
  });
}

function template(system: System): object {
  const { partition, region, accountId } = system.place;
  const arn = `arn:${partition}:secretsmanager:${region}:${accountId}:secret:${system.prefix}/`;
  return {
    Resources: {
      Key: key(system),
      Topic: {
        Type: 'AWS::SNS::Topic',
        Properties: { KmsMasterKeyId: { Ref: 'Key' }, Tags: tagsOf(system) },
      },
      Queue: { Type: 'AWS::SQS::Queue', Properties: { Tags: tagsOf(system) } },
      QueuePolicy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: {
          Queues: [{ Ref: 'Queue' }],
          PolicyDocument: policy([
            {
              ...allow(['sqs:SendMessage'], arnOf('Queue'), {
                ArnEquals: { 'aws:SourceArn': { Ref: 'Topic' } },
              }),
              Principal: { Service: 'sns.amazonaws.com' },
            },
          ]),
        },
      },
      Subscription: {
        Type: 'AWS::SNS::Subscription',
        DependsOn: 'QueuePolicy',
        Properties: { TopicArn: { Ref: 'Topic' }, Protocol: 'sqs', Endpoint: arnOf('Queue') },
      },
      Publisher: role(system, 'events.amazonaws.com', [
        allow(['sns:Publish'], { Ref: 'Topic' }),
        allow(['kms:Decrypt', 'kms:GenerateDataKey'], arnOf('Key')),
      ]),
      Reads: {
        Type: 'AWS::Events::Rule',
        Properties: {
          // Reads are left out by default.
          State: 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS',
          EventPattern: {
            source: ['aws.secretsmanager'],
            'detail-type': ['AWS API Call via CloudTrail'],
            detail: {
              eventName: ['GetSecretValue'],
              requestParameters: {
                secretId: [{ wildcard: `${system.prefix}/*` }, { wildcard: `${arn}*` }],
              },
            },
          },
          Targets: [{ Id: 'Topic', Arn: { Ref: 'Topic' }, RoleArn: arnOf('Publisher') }],
        },
      },
      Stranger: role(system, undefined, [allow(['sts:GetCallerIdentity'], '*')]),
    },
    Outputs: outputs({ QueueUrl: { Ref: 'Queue' }, Stranger: arnOf('Stranger') }),
  };
}

/** Takes messages from the queue. */
async function receive({ aws: { sqs } }: System, QueueUrl: string): Promise<RecordedRead[]> {
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  const reads: RecordedRead[] = [];
  for (const { Body = '', ReceiptHandle } of Messages) {
    const { Message } = JSON.parse(Body) as { Message: string };
    const { detail } = JSON.parse(Message) as {
      detail: { errorCode?: string; requestParameters?: { secretId?: string } | null };
    };
    reads.push({ secretId: detail.requestParameters?.secretId, isDenied: detail.errorCode !== undefined });
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
  return reads;
}
