import { randomBytes, randomUUID } from 'node:crypto';
import { type Account } from '../account';
import { type Principal } from '../iam/principal';
import { type ContextVariables } from './context-variables';
import { type ApiRequest } from './incoming-request';
import { type RestApi, type Stage } from './rest-api';
import { type Route } from './routing';
import { type ApiKey } from './usage-plans';

/** Who signed a request. */
export interface SignedCaller {
  principal: Principal;
  accessKeyId: string;
  accountId: string;
  arn: string;
  /** The unique id, as `$context.identity.user` shows it. */
  userId: string;
}

/** What identifies one request. */
export interface RequestIds {
  requestId: string;
  extendedRequestId: string;
  traceId: string;
}

/** One request on its way through a stage, once its method is known. */
export interface Exchange extends RequestIds {
  account: Account;
  api: RestApi;
  stage: Stage;
  request: ApiRequest;
  route: Route;
  receivedAtMs: number;
  variables: ContextVariables;
  /** Of a method with AWS_IAM authorization. */
  caller?: SignedCaller;
  /** Of a method that requires an API key. */
  apiKey?: ApiKey;
}

/** Fresh ids, in AWS's forms. */
export function newRequestIds(nowMs: number): RequestIds {
  const seconds = Math.floor(nowMs / 1000)
    .toString(16)
    .padStart(8, '0');
  return {
    requestId: randomUUID(),
    extendedRequestId: `${randomBytes(11).toString('base64url')}=`,
    traceId: `Root=1-${seconds}-${randomBytes(12).toString('hex')}`,
  };
}

/** `arn:aws:execute-api:…:{api}/{stage}/{METHOD}/{path}`: what policies call a method of a stage. */
export function methodArn(
  { account, api, stage, request }: Pick<Exchange, 'account' | 'api' | 'stage' | 'request'>,
  path: string = request.path,
): string {
  return `${apiArn(account, api)}/${stage.name}/${request.method}${path}`;
}

/** `arn:aws:execute-api:…:{api}`. */
export function apiArn({ region, accountId }: Account, { id }: RestApi): string {
  return `arn:aws:execute-api:${region}:${accountId}:${id}`;
}
