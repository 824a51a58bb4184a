import { type Context, type Env, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { CONTROL_PATH, deploymentPaths, ENVIRONMENTS, issuerPath, tenantServicePath } from './addresses';
import { type DeploymentKey, type Interface } from './deployment-key';
import { claimedTenantId } from './content/authentication';
import { contentInterface } from './content/content-interface';
import { contentOperationOf } from './content/content-routes';
import { controlInterface } from './control/control';
import { errorBody, RefusedRequestError } from './errors';
import { type RequestAttributes } from './fault';
import { datedBy, intercept } from './interception';
import { issuerAttributes, issuerInterface } from './issuers/issuer-interface';
import { type SandboxState } from './sandbox-state';
import { tenantService } from './tenant-service/tenant-service';
import { tokenEndpoint } from './tokens/token-endpoint';
import { webhooksInterface } from './webhooks/webhooks-interface';

const MAX_BODY_BYTES = 1024 * 1024;

/** Reads the body even if the operation ignores it: an unread body would block the connection for the next request. */
const wholeBody: MiddlewareHandler = async (c, next) => {
  await c.req.text();
  await next();
};

/**
 * The learning platform as a Hono application, which works without a port: `app.request('/staging/mea/…')`. An answer with
 * status 0 means that the server must break the connection.
 * @param onUnexpectedError called for every failure of the sandbox itself. The client gets a bare 500
 */
export function sandboxApp(state: SandboxState, onUnexpectedError?: (error: Error) => void): Hono {
  const app = new Hono();
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    // The rest of the body stays unread, so the connection cannot be reused.
    onError: (c) => c.json(errorBody(413, 'a request body has at most 1 MiB'), 413, { Connection: 'close' }),
  });
  const serve = <E extends Env>(
    base: string,
    attributesOf: (c: Context) => RequestAttributes,
    routes: Hono<E>,
  ) => {
    app.use(`${base}/*`, intercept(state, attributesOf), limit, wholeBody);
    app.route(base, routes);
  };
  const serveTokens = (base: string, deploymentKey: DeploymentKey, interfaceName: Interface) =>
    serve(
      base,
      (c) => ({
        faultPoint: 'token',
        ...deploymentKey,
        interface: interfaceName,
        tenantId: c.req.path.split('/').at(-1),
      }),
      tokenEndpoint(deploymentKey, interfaceName, state),
    );

  app.use(datedBy(state.clock));
  for (const deploymentKey of state.deployments) {
    const paths = deploymentPaths(deploymentKey);
    serveTokens(paths.contentToken, deploymentKey, 'content');
    serveTokens(paths.webhooksToken, deploymentKey, 'webhooks');
    serve(
      paths.content,
      (c) => ({
        faultPoint: 'content',
        ...deploymentKey,
        interface: 'content',
        tenantId: claimedTenantId(c.req.header('authorization'), state),
        operation: contentOperationOf(c.req.method, c.req.path.slice(paths.content.length)),
      }),
      contentInterface(deploymentKey, state),
    );
    serve(
      paths.webhooks,
      (c) => ({
        faultPoint: 'webhooks',
        ...deploymentKey,
        interface: 'webhooks',
        tenantId: claimedTenantId(c.req.header('authorization'), state),
      }),
      webhooksInterface(deploymentKey, state),
    );
  }
  for (const environment of ENVIRONMENTS) {
    serve(
      tenantServicePath(environment),
      (c) => {
        const session = state.sessions.find(c.req.header('authorization'), state.clock.nowMs());
        const { platformRegion, tenantId } = session?.tenant ?? {};
        return { faultPoint: 'tenants', environment, platformRegion, tenantId };
      },
      tenantService(environment, state),
    );
  }
  for (const issuer of state.issuers) {
    const base = issuerPath(issuer.name);
    // The body comes first: only its client identifier may tell the tenant.
    const attributesOf = (c: Context) => issuerAttributes(base, issuer, state.clock, c);
    app.use(`${base}/*`, limit, wholeBody, intercept(state, attributesOf));
    app.route(base, issuerInterface(base, issuer, state.clock));
  }
  app.use(`${CONTROL_PATH}/*`, limit, wholeBody);
  app.route(CONTROL_PATH, controlInterface(state));
  // What a browser or a first curl asks for.
  app.get('/', (c) => {
    const addresses = new URL(`${CONTROL_PATH}/addresses`, c.req.url);
    return app.fetch(new Request(addresses, { headers: c.req.raw.headers }), c.env);
  });

  app.notFound((c) => c.json(errorBody(404, 'no such operation'), 404));
  app.onError((error, c) => {
    if (error instanceof RefusedRequestError) {
      return c.json(errorBody(error.status, error.message), error.status, error.headers);
    }
    // A client that disconnects while sending its body is not a failure of the sandbox.
    if (c.req.raw.signal.aborted) return Response.error();
    onUnexpectedError?.(error);
    return c.json(errorBody(500, 'unexpected error'), 500);
  });
  return app;
}
