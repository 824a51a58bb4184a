import { type Duration } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as sqs from 'aws-cdk-lib/aws-sqs';

import { type BundledFunction } from './bundled-function';

export interface FailureDelivery {
  readonly deadLetterQueue: sqs.IQueue;
  /** How often a run that failed is repeated. */
  readonly retryAttempts: number;
  /** How late a run may start. */
  readonly maxEventAge: Duration;
}

/** Leaves asynchronous runs of a function that failed, or could not start in time, in a dead-letter queue. */
export function deliverFailures({ function: fn, role }: BundledFunction, delivery: FailureDelivery): void {
  const { deadLetterQueue, retryAttempts, maxEventAge } = delivery;
  role.addToPolicy(
    new iam.PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetterQueue.queueArn] }),
  );
  fn.configureAsyncInvoke({
    retryAttempts,
    maxEventAge,
    // Not SqsDestination, which grants more than sending.
    onFailure: { bind: () => ({ destination: deadLetterQueue.queueArn }) },
  });
}
