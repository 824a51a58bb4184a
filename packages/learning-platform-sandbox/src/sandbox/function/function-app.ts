import { type Context, Hono, type MiddlewareHandler } from 'hono';

import { CONTROL_PATH } from '../addresses';
import { errorBody } from '../errors';
import { digest, hasDigest } from '../secrets';
import { type StoredSandbox } from './stored-sandbox';

/** What the application uses of an event of a REST API with Lambda proxy integration, format version 1.0. */
export interface ProxyEvent {
  readonly path: string;
  readonly requestContext: {
    readonly apiId: string;
    readonly domainName: string;
    readonly domainPrefix: string;
    /** Begins with the stage. */
    readonly path: string;
  };
}
type FunctionEnv = { Bindings: { readonly event: ProxyEvent } };

interface FunctionOptions {
  readonly sandbox: StoredSandbox;
  /** The secret that gives access to control, which has no authentication on the loopback interface. */
  readonly controlSecret: () => Promise<string>;
  readonly onUnexpectedError: (error: Error) => void;
}

/** The sandbox behind API Gateway. */
export function functionApp({
  sandbox,
  controlSecret,
  onUnexpectedError,
}: FunctionOptions): Hono<FunctionEnv> {
  const app = new Hono<FunctionEnv>();
  const requireSecret: MiddlewareHandler = async (c, next) => {
    const [, given] = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (given !== undefined && hasDigest(given, digest(await controlSecret()))) return next();
    const message =
      'control needs the header Authorization: Bearer SECRET, with the value of the control secret';
    return c.json(errorBody(401, message), 401, { 'WWW-Authenticate': 'Bearer realm="control"' });
  };
  app.use(`${CONTROL_PATH}/*`, requireSecret);
  app.use('/', requireSecret);
  app.all('*', (c) => sandbox.fetch(c.req.raw, baseOf(c)));
  app.onError((error, c) => {
    onUnexpectedError(error);
    return c.json(errorBody(500, 'unexpected error'), 500);
  });
  return app;
}

/**
 * Where the caller finds the sandbox. The host of an API begins with its id, unless a stand-in for API Gateway serves all APIs
 * on one host, with the id in front of the stage.
 */
function baseOf({ env }: Context<FunctionEnv>): string {
  const { path, requestContext } = env.event;
  const { apiId, domainName, domainPrefix, path: fullPath } = requestContext;
  const stage = fullPath.endsWith(path) ? fullPath.slice(0, -path.length) : '';
  const api = domainName.startsWith(`${domainPrefix}.`) ? '' : `/${apiId}`;
  return `https://${domainName}${api}${stage}`;
}
