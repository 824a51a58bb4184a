import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { tenantReferenceSchema } from '../deployment-key';
import { RefusedRequestError } from '../errors';
import { TEN_YEARS_SEC } from '../seed';
import { issueToken, tokenToIssueSchema } from '../tokens/issue-token';
import { response, timeSchema } from '../openapi/parts';
import { notFound, operationsOf, TENANT } from './control-operation';

const DEFAULT_SESSION_SEC = 60 * 60;
const referenceSchema = z.strictObject(tenantReferenceSchema.shape).openapi('TenantReference');
export const credentialSchema = z
  .strictObject({ clientId: z.string(), clientSecret: z.string() })
  .openapi('Credential');
const apiKeySchema = z.strictObject({ apiKey: z.string(), validUntil: timeSchema }).openapi('ApiKey');
export const issuedTokenSchema = z
  .strictObject({ accessToken: z.string(), expiresAt: timeSchema })
  .openapi('IssuedToken');
const sessionToOpenSchema = tenantReferenceSchema
  .extend({
    administrator: z.boolean().default(true).describe('Whether the user may generate API keys.'),
    validForSec: z.int().min(1).max(TEN_YEARS_SEC).default(DEFAULT_SESSION_SEC),
  })
  .openapi('SessionToOpen');
const sessionSchema = z
  .strictObject({ authorization: z.string(), correlationId: z.string() })
  .openapi('Session');

/** Issues and revokes credentials, API keys, sessions and tokens, as support and administrators do. */
export function addCredentialRoutes(app: OpenAPIHono, state: SandboxState): void {
  const { apiKeys, clock, credentials, issuers, sessions, tenants, tokens } = state;
  const platformAndIssuers = () => [{ credentials, tokens }, ...issuers];
  const serve = operationsOf(app, 'credentials');
  /** @param bodyName the name of the body's schema */
  const serveRevocation = (
    path: `/${string}`,
    {
      bodyName,
      field,
      example,
      what,
      revoke,
      ...described
    }: Record<'operationId' | 'summary' | 'bodyName' | 'field' | 'example' | 'what', string> & {
      revoke: (value: string) => boolean;
    },
  ) =>
    serve(`DELETE ${path}`, {
      ...described,
      body: z.strictObject({ [field]: z.string() }).openapi(bodyName),
      example: { [field]: example },
      responses: { 204: response('No longer accepted.'), 404: notFound(what) },
      respond: (c, { [field]: value = '' }) => {
        if (!revoke(value)) throw new RefusedRequestError(404, `no such ${what}`);
        return c.body(null, 204);
      },
    });

  serve('POST /credentials', {
    operationId: 'issueCredential',
    summary: 'Issue a client credential, as support does',
    body: referenceSchema,
    example: TENANT,
    responses: { 201: response('The new credential. Older ones stay valid.', credentialSchema) },
    respond: (c, { tenantId, ...deploymentKey }) => {
      tenants.require(deploymentKey, tenantId);
      return c.json(credentials.issue({ ...deploymentKey, tenantId }), 201);
    },
  });
  serveRevocation('/credentials', {
    operationId: 'revokeCredential',
    summary: 'Revoke a client credential and its tokens',
    bodyName: 'CredentialToRevoke',
    field: 'clientId',
    example: 'CLIENT_ID',
    what: 'live credential',
    revoke: (clientId) =>
      platformAndIssuers()
        .map((issuer) => {
          issuer.tokens.revokeAllOf(clientId);
          return issuer.credentials.revoke(clientId);
        })
        .includes(true),
  });

  serve('POST /api-keys', {
    operationId: 'issueApiKey',
    summary: 'Generate an API key, as an administrator does',
    body: referenceSchema,
    example: TENANT,
    responses: { 201: response('The new key. Older keys stay valid.', apiKeySchema) },
    respond: (c, { tenantId, ...deploymentKey }) =>
      c.json(apiKeys.generate(tenants.require(deploymentKey, tenantId), clock.nowMs()), 201),
  });
  serveRevocation('/api-keys', {
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    bodyName: 'ApiKeyToRevoke',
    field: 'apiKey',
    example: 'API_KEY',
    what: 'API key',
    revoke: (apiKey) => apiKeys.revoke(apiKey),
  });

  serve('POST /sessions', {
    operationId: 'openSession',
    summary: 'Log a user in to a tenant',
    body: sessionToOpenSchema,
    example: { ...TENANT, administrator: true },
    responses: {
      201: response(
        'The headers that the browser sends. authorization is the whole header value, including Bearer.',
        sessionSchema,
      ),
    },
    respond: (c, { tenantId, administrator, validForSec, ...deploymentKey }) => {
      const tenant = tenants.require(deploymentKey, tenantId);
      return c.json(
        sessions.open(tenant, { isAdministrator: administrator, validForSec }, clock.nowMs()),
        201,
      );
    },
  });
  serveRevocation('/sessions', {
    operationId: 'closeSession',
    summary: 'Log a user out',
    bodyName: 'SessionToClose',
    field: 'authorization',
    example: 'Bearer ADMIN_SESSION_TOKEN',
    what: 'session',
    revoke: (authorization) => sessions.close(authorization),
  });

  serve('POST /tokens', {
    operationId: 'issueToken',
    summary: 'Issue an access token without a token request',
    description:
      'For tests of what uses a token. It belongs to the newest client credential of the tenant, if there is one.',
    body: tokenToIssueSchema.openapi('TokenToIssue'),
    example: { ...TENANT, interface: 'content', scope: 'api/read' },
    responses: { 201: response('The new access token.', issuedTokenSchema) },
    respond: (c, token) => c.json(issueToken(state, token), 201),
  });
  serveRevocation('/tokens', {
    operationId: 'revokeToken',
    summary: 'Revoke an access token',
    bodyName: 'TokenToRevoke',
    field: 'accessToken',
    example: 'ACCESS_TOKEN',
    what: 'access token',
    revoke: (token) => platformAndIssuers().some((issuer) => issuer.tokens.revoke(token)),
  });
}
