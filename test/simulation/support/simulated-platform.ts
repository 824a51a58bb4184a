import { type HttpsAnswer, type HttpsRequest } from '../../../lambdas/shared/adapters/https-client';
import { type Clock } from '../../../lambdas/shared/ports';

const TOKEN_LIFE_SEC = 3600;

/** Sends requests to the token endpoints, instead of HTTPS. */
export type SendRequest = (request: HttpsRequest) => Promise<HttpsAnswer>;

/**
 * The platform's token endpoints.
 * @see platform-interface.md, "Endpoints" 1
 */
export class SimulatedPlatform {
  #grants = 0;
  readonly #secrets = new Map<string, string>();
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  /** Accepts the client secret of a tenant. */
  accept(tenantId: string, clientSecret: string): void {
    this.#secrets.set(tenantId, clientSecret);
  }

  sendRequest: SendRequest = async ({ url, body }) => {
    const tenantId = decodeURIComponent(url.pathname.split('/').at(-1)!);
    const asked = JSON.parse(body) as { client_secret: string };
    if (this.#secrets.get(tenantId) !== asked.client_secret) return answer(401, { error: 'invalid_client' });
    const nowMs = this.#clock.nowMs();
    const accessToken = `token-${(this.#grants += 1)}`;
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
