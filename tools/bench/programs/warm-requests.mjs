/** The requests: 64 of them, for 16 tenants in all deployments. */
export const REQUESTS = Array.from({ length: 64 }, (_, i) => ({
  environment: i & 1 ? 'production' : 'staging',
  platformRegion: i & 2 ? 'mea' : 'global',
  tenantId: `tenant-${i % 16}`,
  interface: 'content',
  scope: 'api/write',
}));

/** The request of the `i`th call. */
export const requestOf = (i) => REQUESTS[i & 63];

export const END_MS = Date.now() + 3_600_000;
/** How long before its expiry a token counts as expired. */
export const MARGIN_MS = 300_000;

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token of the usual format and length. */
export const JWT = [
  part({ alg: 'RS256', typ: 'JWT', kid: 'k1' }),
  part({
    iss: 'https://idp.example',
    aud: 'api',
    scope: 'api/write',
    iat: Math.floor(Date.now() / 1_000),
    exp: Math.floor(END_MS / 1_000),
  }),
  's'.repeat(342),
].join('.');
