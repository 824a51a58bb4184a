import { type CredentialKind } from '../../../contract/secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from '../../../contract/secret-values';
import { PlatformDouble, type Reply, type Turn } from '../support/platform-double';

/**
 * The platform with its content interface too, which knows API keys.
 * @see the platform's specification, "HTTP Basic authentication"
 */
export class CredentialPlatform extends PlatformDouble {
  readonly tenantId: string;
  /** What becomes of every authorized request, of either kind. */
  trouble: Turn | undefined;
  readonly #keys = new Set<string>();

  constructor(tenantId: string, nowMs: () => number) {
    super(nowMs);
    this.tenantId = tenantId;
    const issues = this.always;
    this.always = (issue) => (this.trouble ?? issues)(issue);
  }

  /** The secret value of a credential that works from now on. */
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

  /** Whether a secret's value still authenticates. */
  accepts(kind: CredentialKind, value: string | undefined): boolean {
    if (value === undefined) return false;
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
    return reply.kind === 'answer' && reply.status === 200;
  }

  override reply(path: string, body: string, headers: Readonly<Record<string, unknown>> = {}): Reply {
    if (path !== '/api/contents') return super.reply(path, body);
    const isKnown = [...this.#keys].some(
      (apiKey) => headers.authorization === `Basic ${btoaUtf8(`${this.tenantId}:${apiKey}`)}`,
    );
    if (!isKnown) return { kind: 'answer', status: 401, body: '{}' };
    return this.trouble?.(() => 'no token') ?? { kind: 'answer', status: 200, body: '[]' };
  }
}

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString('base64');
}

function keyValue(apiKey: string): string {
  return JSON.stringify({ apiKey, validUntil: '2099-01-01T00:00:00.000Z' } satisfies ApiKeyValue);
}
