import { type Duration } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as sqs from 'aws-cdk-lib/aws-sqs';

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
}
