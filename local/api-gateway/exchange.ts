import { randomBytes, randomUUID } from 'node:crypto';
import { type Account } from '../account';
import { type Principal } from '../iam/principal';
import { type ContextVariables } from './context-variables';
import { type ApiRequest } from './incoming-request';
import { type RestApi, type Stage } from './rest-api';
import { type Route } from './routing';
import { type ApiKey } from './usage-plans';

/** The signer of a request. */
export interface SignedCaller {
  principal: Principal;
  accessKeyId: string;
  accountId: string;
  arn: string;
  /** The unique id, as in `$context.identity.user`. */
  userId: string;
}

/** The ids of a request. */
export interface RequestIds {
  requestId: string;
  extendedRequestId: string;
  traceId: string;
}

/** A request to a stage, once its method is known. */
export interface Exchange extends RequestIds {
  account: Account;
  api: RestApi;
  stage: Stage;
  request: ApiRequest;
  route: Route;
  receivedAtMs: number;
  variables: ContextVariables;
  /** Set if the method has AWS_IAM authorization. */
  caller?: SignedCaller;
  /** Set if the method requires an API key. */
  apiKey?: ApiKey;
}

/** New ids in AWS's formats. */
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

/** The ARN of a stage's method in policies: `arn:aws:execute-api:…:{api}/{stage}/{METHOD}/{path}`. */
export function methodArn(
  { account, api, stage, request }: Pick<Exchange, 'account' | 'api' | 'stage' | 'request'>,
  path: string = request.path,
): string {
  return `${apiArn(account, api)}/${stage.name}/${request.method}${path}`;
}

/** The ARN of an API in policies: `arn:aws:execute-api:…:{api}`. */
export function apiArn({ region, accountId }: Account, { id }: Pick<RestApi, 'id'>): string {
  return `arn:aws:execute-api:${region}:${accountId}:${id}`;
}
