import { type CredentialKind } from '../../../core/secrets/secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from '../../../core/secrets/secret-values';
import { oauthError, PlatformDouble, type Reply, type Turn } from '../support/platform-double';

/** Refuses every connection. */
export const DOWN: Turn = () => ({ kind: 'unreachable', code: 'ECONNREFUSED' });

/**
 * The platform with its content interface, which accepts API keys, and the tenant service, which generates
 * them.
 * @see the platform's specification, "HTTP Basic authentication"; "Endpoints" 2
 */
export class CredentialPlatform extends PlatformDouble {
  readonly tenantId: string;
  /** Replaces the answer to every authorized request. */
  trouble: Turn | undefined;
  /** Secret values with keys from the tenant service. */
  readonly generated: string[] = [];
  readonly #keys = new Set<string>();
  readonly #revoked = new Set<string>();

  constructor(tenantId: string, nowMs: () => number) {
    super(nowMs);
    this.tenantId = tenantId;
    const issues = this.always;
    this.always = (issue) => (this.trouble ?? issues)(issue);
  }

  /** Issues a credential, and returns its secret value. */
  issueValue(kind: CredentialKind): string {
    if (kind === 'client-credentials') return JSON.stringify(this.issueCredential(this.tenantId));
    const apiKey = this.plant(`API key ${this.#keys.size}`, ':é');
    this.#keys.add(apiKey);
    return keyValue(apiKey);
  }

  /** The secret value of a credential that the platform never issued. */
  strangeValue(kind: CredentialKind): string {
    const secret = this.plant(`strange secret of kind ${kind}`, '"\\é');
    return kind === 'api-key'
      ? keyValue(secret)
      : JSON.stringify({ clientId: 'strange', clientSecret: secret });
  }

  /** Makes the platform refuse the value from now on. */
  revoke(value: string): void {
    const { clientSecret, apiKey } = JSON.parse(value) as ClientCredentialsValue & ApiKeyValue;
    this.#revoked.add(apiKey ?? clientSecret);
  }

  /** Whether the platform accepts the credential when it has no trouble. */
  accepts(kind: CredentialKind, value: string | undefined): boolean {
    if (value === undefined) return false;
    const { trouble } = this;
    this.trouble = undefined;
    const { clientId, clientSecret, apiKey } = JSON.parse(value) as ClientCredentialsValue & ApiKeyValue;
    const grant = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    const reply =
      kind === 'api-key'
        ? this.reply('/api/contents', '', {
            authorization: `Basic ${btoaUtf8(`${this.tenantId}:${apiKey}`)}`,
          })
        : this.reply(
            `/content/oauth2/token/${this.tenantId}`,
            JSON.stringify({ ...grant, scope: 'api/read' }),
            {},
          );
    this.trouble = trouble;
    return reply.kind === 'answer' && reply.status === 200;
  }

  override reply(path: string, body: string, headers: Readonly<Record<string, unknown>> = {}): Reply {
    if (path === '/tenants') return this.#generate();
    if (path !== '/api/contents') {
      const { client_secret: secret } = JSON.parse(body) as { client_secret?: string };
      return this.#revoked.has(secret ?? '') ? oauthError(401, 'invalid_client') : super.reply(path, body);
    }
    const isKnown = [...this.#keys].some(
      (apiKey) =>
        !this.#revoked.has(apiKey) &&
        headers.authorization === `Basic ${btoaUtf8(`${this.tenantId}:${apiKey}`)}`,
    );
    if (!isKnown) return { kind: 'answer', status: 401, body: '{}' };
    return this.trouble?.(() => 'no token') ?? { kind: 'answer', status: 200, body: '[]' };
  }

  #generate(): Reply {
    if (this.trouble !== undefined) return this.trouble(() => 'no token');
    const value = this.issueValue('api-key');
    this.generated.push(value);
    const generateApiKey = JSON.parse(value) as ApiKeyValue;
    return { kind: 'answer', status: 200, body: JSON.stringify({ data: { generateApiKey } }) };
  }
}

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString('base64');
}

function keyValue(apiKey: string): string {
  return JSON.stringify({ apiKey, validUntil: '2099-01-01T00:00:00.000Z' } satisfies ApiKeyValue);
}
