import { type PlatformUnderTest, type TENANT } from '../platform-under-test';
import { type Caller } from './model-records';

interface KnownCaller {
  readonly headers: Record<string, string>;
  readonly issuedMs: number;
}

/** The authentication headers of callers, and when they were issued. */
export class Callers {
  readonly #platform: PlatformUnderTest;
  readonly #known = new Map<string, KnownCaller>();

  constructor(platform: PlatformUnderTest) {
    this.#platform = platform;
  }

  /** Returns the caller's headers, or issues new ones. */
  async find(caller: Caller, owner: typeof TENANT, nowMs: number): Promise<KnownCaller> {
    const key = `${owner.tenantId} ${caller}`;
    const known = this.#known.get(key) ?? {
      headers: await this.#authenticated(caller, owner),
      issuedMs: nowMs,
    };
    this.#known.set(key, known);
    return known;
  }

  /** Forgets all headers. */
  forget(): void {
    this.#known.clear();
  }

  #authenticated(caller: Caller, owner: typeof TENANT): Promise<Record<string, string>> {
    if (caller === 'basic') return this.#platform.basic(owner);
    if (caller === 'nobody') return Promise.resolve({});
    if (caller === 'webhooks token') return this.#platform.bearer('api/all', owner, 'webhooks');
    return this.#platform.bearer(caller, owner);
  }
}
