import { createHash } from 'node:crypto';

import { type CredentialKind } from '../../../core/secrets/secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from '../../../core/secrets/secret-values';
import { type Canary } from '../canaries';

const LIFE_SEC = 3600;

/** The platform's reply: an answer, or the reason why there is none. */
export type Reply =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body: string }
  /** The connection stays open, but nothing arrives. */
  | { kind: 'silence' }
  /** The connection breaks after the request. */
  | { kind: 'reset' }
  /** No connection; `code` is Node's error code. */
  | { kind: 'unreachable'; code: string };

/** How the platform handles one well-formed, authorized request. `issue` creates a token. */
export type Turn = (issue: () => string) => Reply;

export interface Platform {
  /** @param headers names in lower case */
  reply(path: string, body: string, headers: Readonly<Record<string, unknown>>): Reply;
}

export const DOWN: Turn = () => ({ kind: 'unreachable', code: 'ECONNREFUSED' });

const BAD_CREDENTIAL = oauthError(401, 'invalid_client');

/**
 * The platform of one tenant, without I/O: its token endpoints, its content interface, which accepts API keys, and the tenant
 * service, which generates them.
 * @see the platform's specification, "Endpoints" 1 and 2; "HTTP Basic authentication"
 */
export class CredentialPlatform implements Platform {
  readonly tenantId: string;
  readonly requestedScopes: string[] = [];
  readonly issued: string[] = [];
  /** All secrets that it issued, none of which may be visible. */
  readonly canaries: Canary[] = [];
  /** Secret values with keys from the tenant service. */
  readonly generated: string[] = [];
  /** Replaces the answer to every authorized request. */
  trouble: Turn | undefined;
  readonly #nowMs: () => number;
  readonly #clients = new Map<string, string>();
  readonly #keys = new Set<string>();
  readonly #revoked = new Set<string>();

  constructor(tenantId: string, nowMs: () => number) {
    this.tenantId = tenantId;
    this.#nowMs = nowMs;
  }

  /** Issues a credential as the platform's support does, and returns its secret value. Earlier ones stay valid. */
  issueValue(kind: CredentialKind): string {
    if (kind === 'api-key') {
      const apiKey = this.plant(`API key ${this.#keys.size}`, ':é');
      this.#keys.add(apiKey);
      return keyValue(apiKey);
    }
    const number = this.#clients.size;
    const clientId = this.plant(`client id ${number} of ${this.tenantId}`, 'é "');
    const clientSecret = this.plant(`client secret ${number} of ${this.tenantId}`, ' "\\é/+&');
    this.#clients.set(clientId, clientSecret);
    return JSON.stringify({ clientId, clientSecret } satisfies ClientCredentialsValue);
  }

  /** The secret value of a credential that the platform never issued. */
  strangeValue(kind: CredentialKind): string {
    const secret = this.plant(`strange secret of kind ${kind}`, '"\\é');
    return kind === 'api-key'
      ? keyValue(secret)
      : JSON.stringify({ clientId: 'strange', clientSecret: secret });
  }

  revoke(value: string): void {
    const { clientSecret, apiKey } = JSON.parse(value) as ClientCredentialsValue & ApiKeyValue;
    this.#revoked.add(apiKey ?? clientSecret);
  }

  /** Whether the platform accepts the credential when it has no trouble. */
  accepts(kind: CredentialKind, value: string | undefined): boolean {
    if (value === undefined) return false;
    const { clientId, clientSecret, apiKey } = JSON.parse(value) as ClientCredentialsValue & ApiKeyValue;
    return kind === 'api-key'
      ? this.#isLiveKey(basicOf(this.tenantId, apiKey))
      : this.#isLiveClient(clientId, clientSecret);
  }

  plant(name: string, odd = ''): string {
    const value = `${unmistakable(name)}${odd}`;
    this.canaries.push({ name, value });
    return value;
  }

  reply(path: string, body: string, { authorization }: Readonly<Record<string, unknown>> = {}): Reply {
    if (path === '/tenants') return this.#generate();
    if (path === '/api/contents') {
      if (!this.#isLiveKey(authorization)) return { kind: 'answer', status: 401, body: '{}' };
      return this.trouble?.(() => 'no token') ?? { kind: 'answer', status: 200, body: '[]' };
    }
    const [, tenantId] = /^\/(?:content|webhooks)\/oauth2\/token\/([^/]+)$/.exec(path) ?? [];
    if (tenantId !== this.tenantId) return oauthError(404);
    const { scope, grant_type, client_id, client_secret } = JSON.parse(body) as Record<string, string>;
    this.requestedScopes.push(scope!);
    const isAuthorized =
      grant_type === 'client_credentials' && this.#isLiveClient(client_id!, client_secret!);
    const reply = isAuthorized ? (this.trouble ?? tokenAnswer())(() => this.#issueToken()) : BAD_CREDENTIAL;
    if (reply.kind !== 'answer') return reply;
    return { ...reply, headers: { date: new Date(this.#nowMs()).toUTCString(), ...reply.headers } };
  }

  #issueToken(): string {
    const accessToken = this.plant(`token ${this.issued.length} of ${this.tenantId}`, '"\\/+&=');
    this.issued.push(accessToken);
    return accessToken;
  }

  #isLiveClient(clientId: string, clientSecret: string): boolean {
    return this.#clients.get(clientId) === clientSecret && !this.#revoked.has(clientSecret);
  }

  #isLiveKey(authorization: unknown): boolean {
    const live = [...this.#keys].filter((apiKey) => !this.#revoked.has(apiKey));
    return live.some((apiKey) => authorization === basicOf(this.tenantId, apiKey));
  }

  #generate(): Reply {
    if (this.trouble !== undefined) return this.trouble(() => 'no token');
    const value = this.issueValue('api-key');
    this.generated.push(value);
    const generateApiKey = JSON.parse(value) as ApiKeyValue;
    return { kind: 'answer', status: 200, body: JSON.stringify({ data: { generateApiKey } }) };
  }
}

/** Issues a token. `change` replaces fields of the answer; undefined removes one. */
export function tokenAnswer(change: Record<string, unknown> = {}): Turn {
  return (issue) => ({
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      access_token: issue(),
      expires_in: LIFE_SEC,
      token_type: 'Bearer',
      ...change,
    }),
  });
}

/** A refusal as in RFC 6749, section 5.2, or another status with a meaningless body. */
export function oauthError(status: number, error = 'x', headers: Record<string, string> = {}): Reply {
  const body = JSON.stringify({ error, error_description: 'injected' });
  return { kind: 'answer', status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function basicOf(tenantId: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`;
}

function keyValue(apiKey: string): string {
  return JSON.stringify({ apiKey, validUntil: '2099-01-01T00:00:00.000Z' } satisfies ApiKeyValue);
}

/** Letters that do not occur in digests, UUIDs and names. */
const LETTERS = 'ghjkmnpqrstvwxyzGHJKMNPQRSTVWXYZ';

function unmistakable(name: string): string {
  return [...createHash('sha256').update(name).digest()]
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join('');
}
