import { type Context, Hono } from 'hono';
import { type ContentfulStatusCode } from 'hono/utils/http-status';
import { RefusedRequestError } from '../errors';
import { type RequestAttributes } from '../fault';
import { type SandboxClock } from '../sandbox-clock';
import { scopesOf } from './issuer-profile';
import { IssuerRefusal, readIssuerRequest, requestedScopes } from './issuer-request';
import { type Issuer } from './issuers';

/** Below an issuer's base: accepts the issuer's tokens. */
export const WHOAMI_PATH = '/whoami';

/**
 * The token endpoint of an issuer, at the path of its profile, and a resource that accepts its tokens. The host does not tell
 * tenants apart on a loopback interface, so the client identifier does.
 *
 * Checks in this order: the request's form, client, scope.
 * @param base path of the issuer
 * @see RFC 6749, sections 2.3.1, 4.4, 5.1 and 5.2; RFC 6750, section 3
 */
export function issuerInterface(base: string, issuer: Issuer, clock: SandboxClock): Hono {
  const { answer, errors, request } = issuer.profile;
  const app = new Hono();

  app.get(WHOAMI_PATH, (c) => {
    const token = bearerOf(c);
    const grant = token === undefined ? undefined : issuer.tokens.find(token, clock.nowMs());
    if (!grant) {
      const challenge = `Bearer realm="${issuer.name}"${token === undefined ? '' : ', error="invalid_token"'}`;
      throw new RefusedRequestError(401, 'authentication is missing or invalid', {
        'WWW-Authenticate': challenge,
      });
    }
    const { tenantId, clientId, scopes, expiresAtMs } = grant;
    return c.json({ tenantId, clientId, scopes, expiresAt: new Date(expiresAtMs).toISOString() });
  });

  app.post('*', async (c) => {
    const { values, refusal } = (await readRequest(base, issuer, c)) ?? {};
    if (!values) throw new RefusedRequestError(404, 'no such operation');
    c.header('Cache-Control', 'no-store');
    c.header('Pragma', 'no-cache');
    if (refusal) throw refusal;
    const clientId = values.get('clientId')!;
    const clientSecret = values.get('clientSecret')!;
    const tenantId = issuer.credentials.ownerOf(clientId, clientSecret);
    if (tenantId === undefined || tenantId !== (values.get('tenantId') ?? tenantId)) {
      throw new IssuerRefusal('invalid_client', 'no live credential of this tenant');
    }
    const allowed = scopesOf(issuer.profile);
    const requested = requestedScopes(values.get('scope'), request, allowed);
    const scopes = answer.mayGrantMore ? (allowed ?? requested) : requested;
    const { token, expiresInSec } = issuer.issueToken(
      clientSecret,
      { clientId, tenantId, scopes },
      clock.nowMs(),
    );
    return c.json({
      // RFC 6749, section 5.1: required if the scope differs from the requested one.
      ...(scopes.length > requested.length && { scope: scopes.join(request.scopeSeparator) }),
      ...objectWith([
        [answer.accessToken, token],
        [answer.expiresIn, expiresInSec],
        [answer.tokenType, 'Bearer'],
      ]),
    });
  });

  app.onError((error, c) => {
    if (!(error instanceof IssuerRefusal)) throw error;
    const { status, code } = refusalOf(error.code, errors);
    if (status === 401 && c.req.header('authorization') !== undefined) {
      c.header('WWW-Authenticate', `Basic realm="${issuer.name}"`);
    }
    const body = {
      error_description: error.message,
      ...objectWith([[code !== undefined && errors.code, code ?? '']]),
    };
    return c.json(body, status);
  });
  return app;
}

/** What faults match in a request to an issuer. The tenant is the one that the request names, unchecked. */
export async function issuerAttributes(
  base: string,
  issuer: Issuer,
  clock: SandboxClock,
  c: Context,
): Promise<RequestAttributes> {
  const { name, credentials, tokens } = issuer;
  if (c.req.path === `${base}${WHOAMI_PATH}`) {
    const tenantId = tokens.find(bearerOf(c) ?? '', clock.nowMs())?.tenantId;
    return { faultPoint: 'resource', issuer: name, tenantId };
  }
  const { values } = (await readRequest(base, issuer, c)) ?? {};
  const tenantId = values?.get('tenantId') ?? credentials.claimedOwner(values?.get('clientId') ?? '');
  return { faultPoint: 'token', issuer: name, tenantId };
}

/** How the issuer refuses: with its own status or code, or with those of RFC 6749. */
function refusalOf(
  code: IssuerRefusal['code'],
  { credentialRefused, scopeRefused }: Issuer['profile']['errors'],
): { status: ContentfulStatusCode; code?: string } {
  const ownCodes: { [Code in IssuerRefusal['code']]?: readonly string[] } = {
    invalid_client: credentialRefused,
    invalid_scope: scopeRefused,
  };
  const ownCode = ownCodes[code]?.[0];
  if (ownCode === undefined) return { status: code === 'invalid_client' ? 401 : 400, code };
  // An entry that is a status is for answers without a code. Codes come with 400, so that clients must read them.
  return /^[45]\d\d$/.test(ownCode)
    ? { status: Number(ownCode) as ContentfulStatusCode }
    : { status: 400, code: ownCode };
}

async function readRequest(base: string, { profile }: Issuer, { req }: Context) {
  return readIssuerRequest(profile, req.path.slice(base.length), req.raw.headers, await req.text());
}

function bearerOf({ req }: Context): string | undefined {
  return /^bearer +(\S+)$/i.exec(req.header('authorization') ?? '')?.[1];
}

/** Builds one object with each value at its path. A dot in a path leads into an object; `false` leaves the value out. */
function objectWith(values: readonly (readonly [path: string | false, value: string | number])[]): object {
  interface Branch {
    [name: string]: Branch | string | number;
  }
  // Without a prototype, so that `__proto__` is a name like any other.
  const root = Object.create(null) as Branch;
  for (const [path, value] of values) {
    if (path === false) continue;
    const names = path.split('.');
    const last = names.pop()!;
    const branch = names.reduce((at, name) => (at[name] ??= Object.create(null) as Branch) as Branch, root);
    branch[last] = value;
  }
  return root;
}
