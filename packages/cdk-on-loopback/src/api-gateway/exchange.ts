import { randomBytes, randomUUID } from 'node:crypto';
import { type Account } from '../account';
import { functionTraceHeader, traceHeader } from '../functions/trace-header';
import { type ContextVariables } from './context-variables';
import { type ApiRequest, valueOf } from './incoming-request';
import { type Readings } from './readings';
import { type RestApi, type Stage } from './rest-api';
import { type Route } from './routing';

export interface SignedCaller {
  accessKeyId: string;
  accountId: string;
  arn: string;
  /** The unique id, as in `$context.identity.user`. */
  userId: string;
}

export interface RequestIds {
  requestId: string;
  extendedRequestId: string;
}

/** The values of `X-Amzn-Trace-Id`. */
export interface TraceHeaders {
  /** In the function's event. */
  inEvent: string;
  /** In the function's environment, and in API Gateway's response. */
  ofFunction: string;
}

/** A request to a stage, once its method is known. */
export interface Exchange extends RequestIds {
  account: Account;
  api: RestApi;
  stage: Stage;
  request: ApiRequest;
  readings: Readings;
  trace: TraceHeaders;
  route: Route;
  receivedAtMs: number;
  variables: ContextVariables;
  /** Set if the method has AWS_IAM authorization. */
  caller?: SignedCaller;
}

/** New ids in AWS's formats. */
export function newRequestIds(): RequestIds {
  return {
    requestId: randomUUID(),
    extendedRequestId: `${randomBytes(11).toString('base64url')}=`,
  };
}

export function traceHeadersOf({ headers }: ApiRequest, nowMs: number): TraceHeaders {
  const inEvent = traceHeader(valueOf(headers, 'x-amzn-trace-id'), nowMs);
  return { inEvent, ofFunction: functionTraceHeader(inEvent, nowMs) };
}

/** The ARN of a stage's method in policies: `arn:aws:execute-api:…:{api}/{stage}/{METHOD}/{path}`, with the path as sent. */
export function methodArn(
  { account, api, stage, request }: Pick<Exchange, 'account' | 'api' | 'stage' | 'request'>,
  path: string = request.sentPath,
): string {
  return `${apiArn(account, api)}/${stage.name}/${request.method}${path}`;
}

/** The ARN of an API in policies: `arn:aws:execute-api:…:{api}`. */
export function apiArn(account: Account, { id }: Pick<RestApi, 'id'>): string {
  return account.arn('execute-api', id);
}
