import { type Account } from '../account';
import { type Alarms } from '../cloudwatch/account-alarms';
import { type MetricStore } from '../cloudwatch/metric-store';
import { type Credentials } from '../iam/access-keys';
import { type Principal } from '../iam/principal';
import {
  type Clock,
  type FunctionInvoker,
  type Reporter,
  type ScheduleUpdates,
  type SecretRotator,
} from '../interfaces';
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

/** Operations by their names in the service's API reference. */
export type Operations = Readonly<Record<string, Operation>>;

export interface RestRequest {
  /** The resource in the path, decoded; empty if the path has none. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

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

export type RestOperations = Readonly<Record<string, RestOperation>>;

/** Seconds since 1970, the time format of AWS's JSON protocols. */
export function epochSec(ms: number): number;
export function epochSec(ms: number | undefined): number | undefined;
export function epochSec(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}
