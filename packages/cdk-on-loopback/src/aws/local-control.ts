import { type SignedRequest } from '../iam/canonical-request';
import { type Principal } from '../iam/principal';
import { AwsError } from './aws-error';
import { type Faults } from './endpoint-faults';
import { type Input } from './input';
import { type RestResponse } from './operation';
import { parseJsonInput, renderJson } from './protocols';

/** The service name for which requests to `/_local/…` are signed. */
export const LOCAL_SERVICE = 'loopback';

/** Handles `POST /_local/NAME`. @throws {AwsError} */
type LocalHandler = (input: Input, principal: Principal) => object | Promise<object>;

export type LocalHandlers = Readonly<Record<string, LocalHandler>>;

export interface LocalControl {
  readonly faults: Faults;
  /** For the administrator only. */
  readonly handlers: LocalHandlers;
  /** These authorize their callers themselves. */
  readonly selfAuthorizingHandlers: LocalHandlers;
}

/** Whether a request is `GET /_local/clock`. It needs no signature, because signatures need the time. */
export function asksForTime({ method, url }: SignedRequest): boolean {
  return method === 'GET' && url === '/_local/clock';
}

/**
 * Handles the run's own control paths. Most of them only the administrator may call.
 * @throws {AwsError} AccessDeniedException for another caller, UnknownOperationException for an unknown path
 */
export async function runLocalControl(
  request: SignedRequest,
  principal: Principal,
  { faults, handlers, selfAuthorizingHandlers }: LocalControl,
): Promise<RestResponse> {
  const name = request.url.slice('/_local/'.length);
  const authorizesItself = Object.hasOwn(selfAuthorizingHandlers, name);
  if (principal.kind !== 'administrator' && !authorizesItself) {
    throw new AwsError('AccessDeniedException', '/_local is for the administrator of the local account', {
      statusCode: 403,
    });
  }
  if (name === 'faults' && request.method === 'DELETE') {
    faults.clear();
    return renderJson({});
  }
  if (name === 'faults' && request.method === 'POST') {
    faults.add(parseJsonInput(request.body));
    return renderJson({});
  }
  const all = { ...handlers, ...selfAuthorizingHandlers };
  const handler = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!handler || request.method !== 'POST') {
    const allowed = [
      'GET clock',
      'POST faults',
      'DELETE faults',
      ...Object.keys(all).map((each) => `POST ${each}`),
    ];
    throw new AwsError('UnknownOperationException', `unknown /_local path; allowed: ${allowed.join(', ')}`, {
      statusCode: 404,
    });
  }
  return renderJson(await handler(parseJsonInput(request.body), principal));
}
