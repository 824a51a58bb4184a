import { type Account } from '../account';
import { authorize } from '../iam/authorize';
import { type Principal } from '../iam/principal';
import { type FunctionInvoker, type InvocationResult, type Reporter } from '../interfaces';
import { assumeAsService } from '../service-roles';
import { type StartTimer } from '../run-clock';
import { type LambdaTarget } from './rest-api';

const SERVICE = 'apigateway.amazonaws.com';

/** Lambda denied the call, and nothing was invoked. The message is AWS's. */
export class LambdaPermissionError extends Error {
  override readonly name = 'LambdaPermissionError';
  readonly code = 'invalid_permissions';
}

/** What API Gateway needs to call functions. */
export interface LambdaCaller {
  account: Account;
  invoker: FunctionInvoker;
  reporter: Reporter;
  startTimer: StartTimer;
}

/**
 * Calls a function for a method or an authorizer: with a role's permissions if given, else by the function's policy.
 * @param sourceArn the value of `aws:SourceArn` for the function's policy
 * @returns `timed-out` if there is no result within `timeoutMs` of real time; the function continues
 * @throws {LambdaPermissionError}
 * @see API Gateway developer guide, permissions (model for calling an API)
 */
export async function callLambda(
  { account, invoker, reporter, startTimer }: LambdaCaller,
  target: LambdaTarget,
  sourceArn: string,
  timeoutMs: number,
  payload: Buffer,
  traceHeader: string,
): Promise<InvocationResult | { kind: 'timed-out' }> {
  try {
    requirePermission(account, target, sourceArn);
  } catch (cause) {
    reporter.warning(`API Gateway may not invoke ${target.functionArn}: ${(cause as Error).message}`);
    throw new LambdaPermissionError((cause as Error).message, { cause });
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
  const { functionArn, credentialsRoleArn } = target;
  const { accountId } = account;
  const fn = account.functions.get(functionArn);
  if (!fn) throw new LambdaPermissionError(`the account has no function ${functionArn}`);
  const principal: Principal =
    credentialsRoleArn === undefined
      ? { kind: 'service', service: SERVICE, sourceArn, sourceAccount: accountId }
      : assumeAsService(account, credentialsRoleArn, 'BackplaneAssumeRoleSession', {
          service: SERVICE,
          sourceArn,
        });
  const decision = authorize(account, {
    principal,
    action: 'lambda:InvokeFunction',
    resource: functionArn,
    resourceAccount: accountId,
    resourcePolicy: fn.resourcePolicy,
  });
  if (!decision.allowed) throw new LambdaPermissionError(decision.message);
}
