import { type Duration } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as sqs from 'aws-cdk-lib/aws-sqs';

import { acknowledge } from './acknowledge';
import { type BundledFunction } from './bundled-function';

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
  role.addToPolicy(
    new iam.PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetterQueue.queueArn] }),
  );
  fn.configureAsyncInvoke({
    retryAttempts,
    maxEventAge,
    // SqsDestination would grant more than sending.
    onFailure: { bind: () => ({ destination: deadLetterQueue.queueArn }) },
  });
  acknowledge(
    fn.node.defaultChild!,
    DEAD_LETTER_RULES,
    'Failed asynchronous runs go to a queue as their destination on failure, which the rule does not look at.',
  );
}

/** cdk-nag's rules about the dead-letter queue of a function. */
const DEAD_LETTER_RULES = ['NIST.800.53.R5-LambdaDLQ', 'Serverless-LambdaDLQ'];

/** For a function whose caller learns of each failure: a queue would only keep what nobody may run again. */
export function acknowledgeNoDeadLetters({ function: fn }: BundledFunction): void {
  acknowledge(
    fn.node.defaultChild!,
    DEAD_LETTER_RULES,
    'Its caller, API Gateway or Secrets Manager, learns of a failed run and reports or repeats it.',
  );
}
