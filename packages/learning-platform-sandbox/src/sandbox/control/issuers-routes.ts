import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { type Context } from 'hono';
import { RefusedRequestError } from '../errors';
import { issueIssuerToken, issuerTokenToIssueSchema } from '../issuers/issuers';
import { response } from '../openapi/parts';
import { credentialSchema, issuedTokenSchema } from './credentials-routes';
import { notFound, operationsOf } from './control-operation';

const issuersSchema = z
  .strictObject({
    issuers: z.array(z.strictObject({ name: z.string(), title: z.string(), tenantIds: z.array(z.string()) })),
  })
  .openapi('Issuers');
const credentialToIssueSchema = z
  .strictObject({
    tenantId: z.string(),
    clientId: z.string().min(1).optional().describe('Default: generated. A credential with it is replaced.'),
    clientSecret: z.string().min(1).optional().describe('Default: generated.'),
  })
  .openapi('IssuerCredentialToIssue');
const issuerInPath = z.object({ issuer: z.string().describe('For example auth0.') });

export function addIssuerRoutes(app: OpenAPIHono, { clock, issuers }: SandboxState): void {
  const serve = operationsOf(app, 'credentials');
  const issuerOf = (c: Context) => {
    const issuer = issuers.find(c.req.param('issuer') ?? '');
    if (!issuer) throw new RefusedRequestError(404, 'no such issuer');
    return issuer;
  };
  serve('GET /issuers', {
    operationId: 'listIssuers',
    summary: 'List the issuers of the seed',
    responses: { 200: response('Each issuer with its tenants.', issuersSchema) },
    respond: (c) =>
      c.json({
        issuers: [...issuers].map(({ name, profile, tenantIds }) => ({
          name,
          title: profile.title,
          tenantIds: [...tenantIds],
        })),
      }),
  });
  serve('POST /issuers/{issuer}/credentials', {
    operationId: 'issueIssuerCredential',
    summary: 'Issue or replace a client credential of an issuer',
    params: issuerInPath,
    body: credentialToIssueSchema,
    example: { tenantId: 'acme' },
    responses: {
      201: response('The credential. Others stay valid, and so do issued tokens.', credentialSchema),
      404: notFound('issuer'),
    },
    respond: (c, { tenantId, ...given }) => {
      const issuer = issuerOf(c);
      return c.json(issuer.credentials.issue(issuer.requireTenant(tenantId), given), 201);
    },
  });
  serve('POST /issuers/{issuer}/tokens', {
    operationId: 'issueIssuerToken',
    summary: 'Issue an access token of an issuer without a token request',
    params: issuerInPath,
    body: issuerTokenToIssueSchema.openapi('IssuerTokenToIssue'),
    example: { tenantId: 'acme' },
    responses: { 201: response('The new access token.', issuedTokenSchema), 404: notFound('issuer') },
    respond: (c, token) => c.json(issueIssuerToken(issuerOf(c), token, clock.nowMs()), 201),
  });
}
