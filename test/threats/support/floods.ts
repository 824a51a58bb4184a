/** A POST request of the restore API. */
export interface FloodRequest {
  /** Below the stage's URL, exactly as sent. */
  path: string;
  headers: Readonly<Record<string, string | string[]>>;
  body: string;
}

/** Requests without a valid credential. */
export interface Flood {
  name: string;
  /**
   * The n-th request.
   * @param tenantIds the declared tenants; the first one is attacked
   */
  request(n: number, tenantIds: readonly string[]): FloodRequest;
}

/** Wrong API keys and wrong tokens in turn. */
function guess(tenantId: string, n: number): FloodRequest {
  const wrong = `wrong-${n}`;
  const basic = Buffer.from(`${tenantId}:${wrong}`).toString('base64');
  return requestOf(`/tenants/${tenantId}/contents/any/restore`, {
    authorization: n % 2 === 0 ? `Basic ${basic}` : `Bearer ${wrong}`,
  });
}

function requestOf(path: string, headers: FloodRequest['headers']): FloodRequest {
  return { path, headers: { 'content-type': 'application/json', ...headers }, body: '{}' };
}

export const OWN_NAME: Flood = {
  name: 'wrong credentials, the tenant’s own name',
  request: (n, [tenantId]) => guess(tenantId!, n),
};

export const MADE_UP_NAMES: Flood = {
  name: 'wrong credentials, made-up names',
  request: (n) => guess(`eu-west-2_MadeUp${n}`, n),
};

export const ALL_NAMES: Flood = {
  name: 'wrong credentials, names of ten tenants',
  // Halved, so that each tenant gets both schemes.
  request: (n, tenantIds) => guess(tenantIds[(n >> 1) % tenantIds.length]!, n),
};

export const JUNK: Flood = {
  name: 'junk: no or broken credentials, wrong paths',
  request: (n, [tenantId]) => {
    const restore = `/tenants/${tenantId}/contents/any/restore`;
    const all = [
      requestOf(restore, {}),
      requestOf(restore, { authorization: 'Digest username="any"' }),
      requestOf(restore, { authorization: 'Basic %%%' }),
      requestOf(restore, { authorization: ['Bearer one', 'Bearer two'] }),
      requestOf(restore, { authorization: `Bearer ${'two words '.repeat(400)}` }),
      requestOf(`/${'unknown/'.repeat(50)}`, {}),
      requestOf(`/tenants/%00%2e%2e/contents/%ff/restore`, { authorization: 'Bearer' }),
      { ...requestOf(restore, {}), body: '{'.repeat(10_000) },
    ];
    return all[n % all.length]!;
  },
};
