import { createHmac, randomUUID } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { type Seed } from '../seed';
import { AccessTokens } from '../tokens/issued-tokens';
import { ClientCredentials } from '../tokens/client-credentials';
import { InvalidInputError, issueLine } from '../validation';
import { type IssuerProfile, scopesOf } from './issuer-profile';

/** What a token of an issuer grants, and to whom. */
interface IssuerGrant {
  readonly clientId: string;
  readonly tenantId: string;
  readonly scopes: readonly string[];
  /** The token is computed from this and the client's secret. Only for issuers that return the same token again. */
  readonly nonce?: string;
}

/** An issuer of the seed, with its tenants, credentials and tokens. */
export class Issuer {
  readonly name: string;
  readonly profile: IssuerProfile;
  readonly tenantIds: ReadonlySet<string>;
  /** Each belongs to the tenant with this identifier. */
  readonly credentials = new ClientCredentials<string>();
  readonly tokens: AccessTokens<IssuerGrant>;

  constructor({ name, profile, tenants }: Seed['issuers'][number], maxTokens?: number) {
    this.name = name;
    this.profile = profile;
    this.tenantIds = new Set(tenants.map(({ tenantId }) => tenantId));
    this.tokens = new AccessTokens(maxTokens, profile.answer.lifetimeSec);
  }

  /** @throws {InvalidInputError} if the issuer has no such tenant; the message lists its tenants */
  requireTenant(tenantId: string): string {
    if (this.tenantIds.has(tenantId)) return tenantId;
    throw new InvalidInputError([
      issueLine(['tenantId'], tenantId, `tenants of ${this.name}: ${[...this.tenantIds].join(', ')}`),
    ]);
  }

  /**
   * A token for a valid credential: a new one, or the same again if that is what the issuer does.
   * @returns the token, and for how many seconds it is valid
   */
  issueToken(
    clientSecret: string,
    grant: Omit<IssuerGrant, 'nonce'>,
    nowMs: number,
  ): { token: string; expiresInSec: number } {
    const { lifetimeSec, sameTokenUntilSec } = this.profile.answer;
    if (sameTokenUntilSec === undefined) {
      return { token: this.tokens.issue(grant, nowMs), expiresInSec: lifetimeSec };
    }
    const last = this.tokens.newest((each) => each.nonce !== undefined && isFor(each, grant));
    const same = tokenFrom(clientSecret, last?.nonce ?? '');
    const { expiresAtMs = 0 } = this.tokens.find(same, nowMs) ?? {};
    const expiresInSec = Math.floor((expiresAtMs - nowMs) / 1000);
    if (expiresInSec > sameTokenUntilSec) return { token: same, expiresInSec };
    const nonce = randomUUID();
    const token = this.tokens.issue({ ...grant, nonce }, nowMs, tokenFrom(clientSecret, nonce));
    return { token, expiresInSec: lifetimeSec };
  }
}

/** A token of an issuer that a test wants without a token request. */
export const issuerTokenToIssueSchema = z.strictObject({
  tenantId: z.string(),
  scope: z.string().optional().describe('Scopes, with spaces between them. Default: none.'),
});

/**
 * Issues an access token that belongs to the newest client credential of its tenant, if there is one.
 * @throws {InvalidInputError} for an unknown tenant, and a scope that the issuer does not have
 */
export function issueIssuerToken(
  issuer: Issuer,
  { tenantId, scope }: z.output<typeof issuerTokenToIssueSchema>,
  nowMs: number,
): { accessToken: string; expiresAt: string } {
  issuer.requireTenant(tenantId);
  const scopes = (scope ?? '').split(' ').filter((each) => each !== '');
  const allowed = scopesOf(issuer.profile);
  if (allowed && scopes.some((each) => !allowed.includes(each))) {
    throw new InvalidInputError([issueLine(['scope'], scope, allowed.join(', '))]);
  }
  const clientId = issuer.credentials.newestOf((owner) => owner === tenantId) ?? '';
  return {
    accessToken: issuer.tokens.issue({ clientId, tenantId, scopes }, nowMs),
    expiresAt: new Date(nowMs + issuer.profile.answer.lifetimeSec * 1000).toISOString(),
  };
}

/** The issuers of the seed, beside the platform. */
export class Issuers {
  readonly #byName: ReadonlyMap<string, Issuer>;

  /** @param maxTokens of each issuer; beyond this, the oldest token is dropped */
  constructor(seed: Seed, maxTokens?: number) {
    const issuers = seed.issuers.map((issuer) => new Issuer(issuer, maxTokens));
    this.#byName = new Map(issuers.map((issuer) => [issuer.name, issuer]));
  }

  [Symbol.iterator](): Iterator<Issuer> {
    return this.#byName.values();
  }

  find(name: string): Issuer | undefined {
    return this.#byName.get(name);
  }

  /** @throws {InvalidInputError} if there is no such issuer; the message lists all */
  require(name: string): Issuer {
    const issuer = this.find(name);
    if (issuer) return issuer;
    const names = [...this.#byName.keys()].join(', ') || 'none';
    throw new InvalidInputError([issueLine(['issuer'], name, names)]);
  }

  snapshot() {
    return {
      issuers: [...this].map(({ name, credentials, tokens }) => ({
        name,
        credentials: credentials.snapshot(),
        tokens: tokens.snapshot(),
      })),
    };
  }

  restore({ issuers }: ReturnType<Issuers['snapshot']>): void {
    for (const { name, credentials, tokens } of issuers) {
      this.find(name)?.credentials.restore(credentials);
      this.find(name)?.tokens.restore(tokens);
    }
  }
}

function isFor(last: IssuerGrant, { clientId, tenantId, scopes }: IssuerGrant): boolean {
  return last.clientId === clientId && last.tenantId === tenantId && last.scopes.join() === scopes.join();
}

/** Computes a token that can be returned again, because the state keeps only digests of tokens. */
function tokenFrom(clientSecret: string, nonce: string): string {
  return createHmac('sha256', clientSecret).update(nonce).digest('base64url');
}
