import { type Duration } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as sqs from 'aws-cdk-lib/aws-sqs';

import { allow } from './allow';
import { acknowledge } from './acknowledge';
import { type BundledFunction } from './bundled-function';
import { viaService } from './key-statement';

export interface FailureDelivery {
  readonly deadLetterQueue: sqs.IQueue;
  /** Retries of a failed run. */
  readonly retryAttempts: number;
  /** Maximum delay of a start. */
  readonly maxEventAge: Duration;
}

/** Sends a function's failed or expired asynchronous runs to a dead-letter queue. */
export function deliverFailures({ function: fn, role }: BundledFunction, delivery: FailureDelivery): void {
  const { deadLetterQueue, retryAttempts, maxEventAge } = delivery;
  allowSendMessage(role, deadLetterQueue);
  fn.configureAsyncInvoke({
    retryAttempts,
    maxEventAge,
    // SqsDestination would grant more than sending.
    onFailure: { bind: () => ({ destination: deadLetterQueue.queueArn }) },
  });
  acknowledge(
    fn.node.defaultChild,
    DEAD_LETTER_RULES,
    'Failed asynchronous runs go to a queue as their destination on failure, which the rule does not look at.',
  );
}

/**
 * Lets a role send messages to a queue, with its customer managed key if it has one.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
export function allowSendMessage(role: iam.IRole, { queueArn, encryptionMasterKey }: sqs.IQueue): void {
  allow(role, ['sqs:SendMessage'], [queueArn]);
  if (encryptionMasterKey === undefined) return;
  allow(role, ['kms:Decrypt', 'kms:GenerateDataKey'], [encryptionMasterKey.keyArn], {
    StringEquals: { 'kms:ViaService': viaService(role, 'sqs') },
  });
}

/** cdk-nag's rules about the dead-letter queue of a function. */
const DEAD_LETTER_RULES = ['NIST.800.53.R5-LambdaDLQ', 'Serverless-LambdaDLQ'];

/** For a function whose caller learns of each failure. Nobody may repeat its runs, so a queue of them has no use. */
export function acknowledgeNoDeadLetters({ function: fn }: BundledFunction): void {
  acknowledge(
    fn.node.defaultChild,
    DEAD_LETTER_RULES,
    'Its caller, API Gateway or Secrets Manager, learns of a failed run and reports or repeats it.',
  );
}
