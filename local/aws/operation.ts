import { type Account } from '../account';
import { type CloudWatch } from '../cloudwatch/cloudwatch';
import { authorize, type AuthorizationRequest } from '../iam/authorize';
import { type Credentials } from '../iam/access-keys';
import { type Principal } from '../iam/principal';
import { type Clock, type FunctionInvoker, type ScheduleUpdates, type SecretRotator } from '../interfaces';
import { AwsError } from './aws-error';
import { type Input } from './input';

/** What an operation works on: the account and its doors, and who calls. */
export interface Call {
  readonly account: Account;
  readonly principal: Principal;
  readonly credentials: Credentials;
  readonly invoker: FunctionInvoker;
  readonly rotator: SecretRotator;
  readonly cloudWatch: Pick<CloudWatch, 'alarms' | 'store'>;
  readonly scheduleUpdates: ScheduleUpdates;
  readonly clock: Clock;
  /** `http://127.0.0.1:PORT` of this endpoint. */
  readonly origin: string;
}

/** One operation of a service that speaks JSON. It checks the caller's rights itself, since only it knows the resource. */
export interface Operation {
  /** Every parameter that it takes; any other is refused. */
  readonly parameters: readonly string[];
  /** @throws {AwsError} */
  run(input: Input, call: Call): object;
}

/** Operations by the name that AWS gives them. */
export type Operations = Readonly<Record<string, Operation>>;

/** What a caller needs to be allowed; the resource's account is read from its ARN, else it is the local one. */
type Permission = Pick<AuthorizationRequest, 'action' | 'resource' | 'resourcePolicy' | 'context'>;

/** @throws {AwsError} AccessDeniedException with AWS's text, unless the policies in force allow it. */
export function requireAllowed(call: Pick<Call, 'account' | 'principal'>, permission: Permission): void {
  const decision = authorize(call.account, {
    ...permission,
    principal: call.principal,
    resourceAccount: accountOf(permission.resource) ?? call.account.accountId,
  });
  if (!decision.allowed) throw new AwsError('AccessDeniedException', decision.message);
}

/** The account in an ARN; undefined for anything else, and for an ARN that names none. */
function accountOf(arn: string): string | undefined {
  return arn.startsWith('arn:') ? arn.split(':')[4] || undefined : undefined;
}

/** Seconds since 1970, as AWS's JSON protocols write times. */
export function epochSec(ms: number): number {
  return ms / 1000;
}
