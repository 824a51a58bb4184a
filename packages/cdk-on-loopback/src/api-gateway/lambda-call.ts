import { type Account } from '../account';
import { requireInvocationAllowed } from '../iam/authorize';
import { servicePrincipal } from '../iam/principal';
import { type FunctionInvoker, type InvocationResult, type Reporter } from '../interfaces';
import { assumeAsService } from '../service-roles';
import { type StartTimer } from '../run-clock';
import { type LambdaTarget } from './rest-api';

export interface LambdaCaller {
  account: Account;
  invoker: FunctionInvoker;
  reporter: Reporter;
  startTimer: StartTimer;
}

interface LambdaCall {
  /** The value of `aws:SourceArn` for the function's policy. */
  sourceArn: string;
  timeoutMs: number;
  payload: Buffer;
  traceHeader: string;
}

/**
 * Calls a function for a method or an authorizer: with a role's permissions if given, else by the function's policy.
 * @returns `timed-out` if there is no result within `timeoutMs` of real time; the function continues
 * @throws {AwsError} if Lambda denies the call, and nothing was invoked
 * @see API Gateway developer guide, permissions (model for calling an API)
 */
export async function callLambda(
  { account, invoker, reporter, startTimer }: LambdaCaller,
  target: LambdaTarget,
  { sourceArn, timeoutMs, payload, traceHeader }: LambdaCall,
): Promise<InvocationResult | { kind: 'timed-out' }> {
  try {
    requirePermission(account, target, sourceArn);
  } catch (error) {
    reporter.warning(`API Gateway may not invoke ${target.functionArn}: ${(error as Error).message}`);
    throw error;
  }
  let cancel = (): void => undefined;
  const timeout = new Promise<{ kind: 'timed-out' }>((resolve) => {
    cancel = startTimer(() => resolve({ kind: 'timed-out' }), timeoutMs);
  });
  try {
    return await Promise.race([invoker.invoke(target.functionArn, payload, { traceHeader }), timeout]);
  } finally {
    cancel();
  }
}

function requirePermission(account: Account, target: LambdaTarget, sourceArn: string): void {
  const { functionArn, credentialsRoleArn: roleArn } = target;
  const service = 'apigateway.amazonaws.com';
  const principal =
    roleArn === undefined
      ? servicePrincipal(service, sourceArn, account)
      : assumeAsService(account, roleArn, 'BackplaneAssumeRoleSession', { service, sourceArn });
  requireInvocationAllowed({ account, principal }, functionArn);
}
