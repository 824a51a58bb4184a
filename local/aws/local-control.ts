import { type SignedRequest } from '../iam/canonical-request';
import { type Principal } from '../iam/principal';
import { AwsError } from './aws-error';
import { type Faults } from './endpoint-faults';
import { type Input } from './input';
import { type RestResponse } from './lambda-service';
import { parseJsonInput, renderJson } from './protocols';

/** The service name with which requests to `/_local/…` are signed. */
export const LOCAL_SERVICE = 'latchkey-local';

/** Answers `POST /_local/NAME`. @throws {AwsError} to refuse. */
type LocalHandler = (input: Input) => object | Promise<object>;

/** Handlers by the NAME in `/_local/NAME`. */
export type LocalHandlers = Readonly<Record<string, LocalHandler>>;

/**
 * Answers the control paths of the run, which AWS doesn't have, to the administrator alone.
 * @throws {AwsError} AccessDeniedException for anybody else, UnknownOperationException for another path.
 */
export async function runLocalControl(
  request: SignedRequest,
  principal: Principal,
  faults: Faults,
  handlers: LocalHandlers,
): Promise<RestResponse> {
  if (principal.kind !== 'administrator') {
    throw new AwsError('AccessDeniedException', '/_local is for the administrator of the local account', {
      statusCode: 403,
    });
  }
  const name = request.url.slice('/_local/'.length);
  if (name === 'faults' && request.method === 'DELETE') {
    faults.clear();
    return renderJson({});
  }
  if (name === 'faults' && request.method === 'POST') {
    faults.add(parseJsonInput(request.body));
    return renderJson({});
  }
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (!handler || request.method !== 'POST') {
    const known = ['POST faults', 'DELETE faults', ...Object.keys(handlers).map((each) => `POST ${each}`)];
    throw new AwsError('UnknownOperationException', `/_local answers ${known.join(', ')}`, {
      statusCode: 404,
    });
  }
  return renderJson(await handler(parseJsonInput(request.body)));
}
