import { type HttpRequest, type Send } from '../../../src/conformance/https-requests';
import { type ClientCredential, type Interface, type Session } from '../../../src/conformance/tenant';
import { type Front } from '../violation';
import { type TenantName } from '../../../src/testing/sandbox-tenant';
import { type Fields, fieldsOf, withHeader } from './fronts';
import { type Asks, BASIC, control, GENERATE_KEY, pathOf, TOKEN, withPath } from './operations';

/** A client credential with the tenant it was issued to. */
export type IssuedCredential = ClientCredential & TenantName;

/** A token request. */
interface TokenRequest {
  readonly asked: HttpRequest;
  readonly body: Fields;
  /** The credential issued with this client_id. */
  readonly credential: IssuedCredential | undefined;
}

/** Changes token requests, given the issued credentials. */
export function changeTokenRequest(
  change: (
    request: TokenRequest,
    issued: readonly IssuedCredential[],
  ) => { readonly body?: Fields; readonly tenantId?: string },
): Front {
  return (sandbox) => {
    const issued: IssuedCredential[] = [];
    return async (asked) => {
      const body = fieldsOf(asked);
      if (TOKEN(asked) && body) {
        const credential = issued.find(({ clientId }) => clientId === body.client_id);
        const changed = change({ body, asked, credential }, issued);
        const moved = withPath(asked, (path) => path.replace(/[^/]+$/, (own) => changed.tenantId ?? own));
        return sandbox({ ...moved, body: JSON.stringify(changed.body ?? body) });
      }
      const answer = await sandbox(asked);
      if (control('POST', 'credentials')(asked)) {
        issued.push({ ...(body as unknown as TenantName), ...(JSON.parse(answer.body) as ClientCredential) });
      }
      return answer;
    };
  };
}

/** An issued access token. */
export interface GivenToken {
  readonly of: Interface;
  readonly scope: string;
  /** Requests another token for the same credential, optionally for another interface and scope. */
  another(of?: Interface, scope?: string): Promise<string>;
}

/** Replaces the token of requests with an issued access token, or changes these requests. */
export function changeTokenUse(
  is: Asks,
  change: (given: GivenToken, token: string) => Promise<string> | string,
): Front {
  return (sandbox) => {
    const given = new Map<string, GivenToken>();
    const pass = async (asked: HttpRequest) => {
      const token = /^Bearer (.+)$/.exec(asked.headers?.authorization ?? '')?.[1];
      const known = token === undefined ? undefined : given.get(token);
      if (!is(asked) || !known) return sandbox(asked);
      return sandbox(withHeader(asked, 'authorization', `Bearer ${await change(known, token!)}`));
    };
    return async (asked) => {
      const answer = await pass(asked);
      if (TOKEN(asked) && answer.status === 200) given.set(tokenIn(answer.body), givenToken(asked, sandbox));
      return answer;
    };
  };
}

function givenToken(asked: HttpRequest, sandbox: Send): GivenToken {
  const request = fieldsOf(asked)!;
  const of = pathOf(asked).includes('/webhooks-auth/') ? 'webhooks' : 'content';
  return {
    of,
    scope: String(request.scope),
    another: async (ofOther = of, scope = String(request.scope)) => {
      const base = ofOther === 'webhooks' ? '/webhooks-auth/' : '/auth/';
      const moved = withPath(asked, (path) => path.replace(/\/(webhooks-)?auth\//, base));
      return tokenIn((await sandbox({ ...moved, body: JSON.stringify({ ...request, scope }) })).body);
    },
  };
}

function tokenIn(body: string): string {
  return String((JSON.parse(body) as Fields).access_token);
}

/** Username and password of Basic authentication. */
export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** Changes the header of requests with Basic authentication, given the generated keys and their tenants. */
export function changeBasic(
  change: (
    sent: BasicCredential,
    ownerOf: (apiKey: string) => TenantName | undefined,
    asked: HttpRequest,
    sandbox: Send,
  ) => string | undefined | Promise<string | undefined>,
): Front {
  return (sandbox) => {
    const owners = new Map<string, TenantName>();
    return async (asked) => {
      if (BASIC(asked)) {
        const changed = await change(basicIn(asked), (apiKey) => owners.get(apiKey), asked, sandbox);
        return sandbox(changed === undefined ? asked : withHeader(asked, 'authorization', changed));
      }
      const answer = await sandbox(asked);
      if (control('POST', 'api-keys')(asked)) {
        const { apiKey } = JSON.parse(answer.body) as { apiKey: string };
        owners.set(apiKey, fieldsOf(asked) as unknown as TenantName);
      }
      return answer;
    };
  };
}

/** Username and password in a request with Basic authentication. */
function basicIn({ headers }: HttpRequest): BasicCredential {
  const sent = Buffer.from(headers!.authorization!.slice('Basic '.length), 'base64').toString();
  const colon = sent.indexOf(':');
  return { username: sent.slice(0, colon), password: sent.slice(colon + 1) };
}

/** Changes the session of requests to generate a key, given the opened sessions. */
export function changeSession(
  change: (
    headers: Partial<Session>,
    opened: { readonly byAuthorization?: Session; readonly byCorrelationId?: Session },
  ) => Session | undefined | Promise<Session | undefined>,
): Front {
  return (sandbox) => {
    const opened: Session[] = [];
    return async (asked) => {
      if (GENERATE_KEY(asked)) {
        const { authorization, 'correlation-id': correlationId } = asked.headers ?? {};
        const byAuthorization = opened.find((session) => session.authorization === authorization);
        const byCorrelationId = opened.find((session) => session.correlationId === correlationId);
        const found = { byAuthorization, byCorrelationId };
        const session = await change({ authorization, correlationId }, found);
        return sandbox(session ? asUserOf(session, asked) : asked);
      }
      const answer = await sandbox(asked);
      if (control('POST', 'sessions')(asked)) {
        opened.push(JSON.parse(answer.body) as Session);
      }
      return answer;
    };
  };
}

function asUserOf({ authorization, correlationId }: Session, asked: HttpRequest): HttpRequest {
  return {
    ...asked,
    headers: { ...asked.headers, authorization, 'correlation-id': correlationId },
  };
}
