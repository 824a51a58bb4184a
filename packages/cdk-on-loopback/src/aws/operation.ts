import { type Account } from '../account';
import { type Alarms } from '../cloudwatch/account-alarms';
import { type MetricStore } from '../cloudwatch/metric-store';
import { authorize, type AuthorizationRequest } from '../iam/authorize';
import { type Credentials } from '../iam/access-keys';
import { type Principal } from '../iam/principal';
import {
  type Clock,
  type FunctionInvoker,
  type Reporter,
  type ScheduleUpdates,
  type SecretRotator,
} from '../interfaces';
import { accessDenied } from './aws-error';
import { type Input } from './input';

/** The context of an operation: the account, its services and the caller. */
export interface Call {
  readonly account: Account;
  readonly principal: Principal;
  readonly credentials: Credentials;
  readonly invoker: FunctionInvoker;
  readonly rotator: SecretRotator;
  readonly cloudWatch: { readonly alarms: Alarms; readonly store: MetricStore };
  readonly scheduleUpdates: ScheduleUpdates;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** The endpoint's origin: `http://127.0.0.1:PORT`. */
  readonly origin: string;
}

/** An operation of a JSON or query service. It authorizes the caller itself, because only it knows the resource. */
export interface Operation {
  /** The supported parameters. Any other is rejected. */
  readonly parameters: readonly string[];
  /** @throws {AwsError} */
  run(input: Input, call: Call): object;
}

/** Operations by their AWS names, under which the reference of each service has their pages. */
export type Operations = Readonly<Record<string, Operation>>;

/** A request to a REST API. */
export interface RestRequest {
  /** The resource in the path, decoded; empty if the path has none. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

/** A response of a REST API. */
export interface RestResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** An operation of a REST service. It authorizes the caller itself. */
interface RestOperation {
  /** Method and path, such as `GET /schedules/{name}`. */
  readonly route: string;
  /** @throws {AwsError} */
  run(request: RestRequest, call: Call): RestResponse | Promise<RestResponse>;
}

/** REST operations by their AWS names. */
export type RestOperations = Readonly<Record<string, RestOperation>>;

/** A permission that the caller needs. The resource's account is in its ARN; if not, it is the local one. */
type Permission = Pick<AuthorizationRequest, 'action' | 'resource' | 'resourcePolicy' | 'context'>;

/** @throws {AwsError} AccessDeniedException with AWS's text, if the current policies do not allow it */
export function requireAllowed(call: Pick<Call, 'account' | 'principal'>, permission: Permission): void {
  const decision = authorize(call.account, {
    ...permission,
    principal: call.principal,
    resourceAccount: accountOf(permission.resource) ?? call.account.accountId,
  });
  if (!decision.allowed) throw accessDenied(decision.message);
}

/** The account id in an ARN; undefined if it has none, or the text is not an ARN. */
function accountOf(arn: string): string | undefined {
  return arn.startsWith('arn:') ? arn.split(':')[4] || undefined : undefined;
}

/** Seconds since 1970, the time format of AWS's JSON protocols. */
export function epochSec(ms: number): number {
  return ms / 1000;
}
