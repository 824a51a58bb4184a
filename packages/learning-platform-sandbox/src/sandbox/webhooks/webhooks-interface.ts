import { createRoute } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { Hono } from 'hono';
import { type DeploymentKey, deploymentName } from '../deployment-key';
import { RefusedRequestError } from '../errors';
import { BEARER_CHALLENGE, refusal, response, UNEXPECTED_ERROR } from '../openapi/parts';

const CHALLENGE = 'Bearer realm="webhooks"';

export const WEBHOOKS_ROUTE = createRoute({
  operationId: 'reachWebhooks',
  method: 'get',
  path: '/',
  summary: 'Check access to the webhooks interface',
  description:
    'Answers 204 if the token is accepted. Assumed: the specification shows no operation of this interface.',
  tags: ['webhooks'],
  security: [{ bearer: ['api/webhooks'] }, { bearer: ['api/all'] }],
  responses: {
    204: response('The token is accepted.'),
    401: refusal(401, 'Unauthorized: authentication is missing or invalid.', {
      'WWW-Authenticate': BEARER_CHALLENGE,
    }),
    default: UNEXPECTED_ERROR,
  },
});

/**
 * The webhooks interface of one deployment. Accepts any token of its own token endpoint. The specification shows no operations,
 * so there is only `GET` of the base, which is assumed to answer 204, so that clients can check their access.
 * @see platform specification, "Events" and "OAuth 2.0 client credentials (preferred)"; RFC 6750, section 3
 */
export function webhooksInterface(deploymentKey: DeploymentKey, { clock, tokens }: SandboxState): Hono {
  const app = new Hono();
  app.use('*', async (c, next) => {
    const [, token] = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const grant = token === undefined ? undefined : tokens.find(token, clock.nowMs());
    if (grant?.interface !== 'webhooks' || deploymentName(grant) !== deploymentName(deploymentKey)) {
      throw new RefusedRequestError(401, 'authentication is missing or invalid', {
        'WWW-Authenticate': token === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`,
      });
    }
    await next();
  });
  app.get(WEBHOOKS_ROUTE.path, (c) => c.body(null, 204));
  return app;
}
