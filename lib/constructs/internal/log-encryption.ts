import type * as logs from 'aws-cdk-lib/aws-logs';

import { acknowledge } from './acknowledge';

/** Acknowledges that CloudWatch Logs encrypts a log group with its own key. */
export function acknowledgeOwnKey(logGroup: logs.LogGroup): void {
  acknowledge(
    logGroup.node.defaultChild!,
    ['NIST.800.53.R5-CloudWatchLogGroupEncrypted'],
    'CloudWatch Logs encrypts it with a key of its own, and no line contains a secret.',
  );
}
