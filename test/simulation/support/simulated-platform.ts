import { tokenBaseUrl } from '../../../core/deployment/deployment-file';
import { INTERFACES } from '../../../core/deployment/platform';
import { type TokenType } from '../../../core/tokens/token-key';
import { type HttpsAnswer, type HttpsRequest } from '../../../lambdas/shared/adapters/https-client';
import { type Clock } from '../../../lambdas/shared/ports';
import { deploymentOf } from '../../support/lambdas/token-functions';

const TOKEN_LIFE_SEC = 3600;

/** A token in the platform's records. */
export type Grant = TokenType & { tenantId: string; issuedAtMs: number; expiresAtMs: number };

/** Sends requests to the token endpoints, instead of HTTPS. */
export type SendRequest = (request: HttpsRequest) => Promise<HttpsAnswer>;

/**
 * The platform's token endpoints, which record what they grant.
 * @see platform-interface.md, "Endpoints" 1
 */
export class SimulatedPlatform {
  /** By access token. */
  readonly grants = new Map<string, Grant>();
  readonly #secrets = new Map<string, Set<string>>();
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #deployment = deploymentOf([]);

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  /** Accepts another client secret of a tenant. */
  accept(tenantId: string, clientSecret: string): void {
    this.#secrets.set(tenantId, (this.#secrets.get(tenantId) ?? new Set()).add(clientSecret));
  }

  /** Whether the platform accepts a token now for the given purpose. */
  accepts(accessToken: string, wanted: TokenType & { tenantId: string }): boolean {
    const grant = this.grants.get(accessToken);
    return (
      grant !== undefined &&
      grant.tenantId === wanted.tenantId &&
      grant.interface === wanted.interface &&
      grant.scope === wanted.scope &&
      grant.expiresAtMs > this.#clock.nowMs()
    );
  }

  sendRequest: SendRequest = async ({ url, body }) => {
    const tenantId = decodeURIComponent(url.pathname.split('/').at(-1)!);
    const asked = JSON.parse(body) as { scope: string; client_secret: string };
    if (this.#secrets.get(tenantId)?.has(asked.client_secret) !== true)
      return answer(401, { error: 'invalid_client' });
    const nowMs = this.#clock.nowMs();
    const accessToken = `token-${this.grants.size + 1}`;
    const isOf = INTERFACES.find((name) => url.href.startsWith(`${tokenBaseUrl(this.#deployment, name)}/`));
    const target = { interface: isOf, scope: asked.scope } as TokenType;
    this.grants.set(accessToken, {
      tenantId,
      ...target,
      issuedAtMs: nowMs,
      expiresAtMs: nowMs + TOKEN_LIFE_SEC * 1000,
    });
    const headers = { date: new Date(nowMs).toUTCString() };
    return answer(
      200,
      { access_token: accessToken, token_type: 'Bearer', expires_in: TOKEN_LIFE_SEC },
      headers,
    );
  };
}

/** An answer of a token endpoint. */
export function answer(status: number, body: object, headers: HttpsAnswer['headers'] = {}): HttpsAnswer {
  return { status, headers, body: JSON.stringify(body) };
}
