/**
 * The number of tenants to measure with.
 * @param usual if the environment variable `BENCH_TENANTS` is not set
 * @throws {Error} if that is no number from 1 to 5,000
 */
export function tenantCount(usual: number): number {
  const { BENCH_TENANTS: tenants = String(usual) } = process.env;
  if (/^[1-9]\d{0,3}$/.test(tenants) && Number(tenants) <= 5_000) return Number(tenants);
  throw new Error(`BENCH_TENANTS: found ${tenants}; allowed: 1–5000`);
}

/** A configuration of one deployment with so many tenants, with three tokens each. */
export function manyTenants(count: number): object {
  const platform = 'https://127.0.0.1:8443';
  const addresses = {
    contentBaseUrl: `${platform}/staging/global/rest/v1`,
    contentTokenBaseUrl: `${platform}/staging/global/auth`,
    webhooksBaseUrl: `${platform}/staging/global/webhooks/v1`,
    webhooksTokenBaseUrl: `${platform}/staging/global/webhooks-auth`,
  };
  const tokens = [
    { interface: 'content', scope: 'api/read' },
    { interface: 'content', scope: 'api/write' },
    { interface: 'webhooks', scope: 'api/webhooks' },
  ];
  const tenants = Array.from({ length: count }, (_, n) => ({ tenantId: `eu-west-2_Bench${n}`, tokens }));
  return {
    local: true,
    endpoints: { staging: { global: addresses } },
    deployments: [
      { environment: 'staging', platformRegion: 'global', restore: { available: true }, tenants },
    ],
  };
}
