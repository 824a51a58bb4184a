import { type Account } from '../account';
import { authorize } from '../iam/authorize';

/**
 * The first action of X-Ray that a function's role lacks for sending traces; undefined if it may send them.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html
 */
export function deniedTracing(account: Account, roleArn: string): string | undefined {
  const { accountId } = account;
  const principal = { kind: 'role-session', accountId, arn: roleArn, roleArn, sessionName: 'xray' } as const;
  return ['PutTraceSegments', 'PutTelemetryRecords'].find(
    (action) =>
      !authorize(account, {
        ...{ principal, action: `xray:${action}`, resource: '*' },
        resourceAccount: accountId,
      }).allowed,
  );
}
