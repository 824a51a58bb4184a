import { type Check, must } from '../check';
import { restore } from '../content-writes';
import { basic, readWith, requestedToken } from '../requests';
import { type ControlledTenant } from '../tenant';

/** Control's paths that report recorded activity. */
const OBSERVATIONS = ['requests', 'counters', 'audit', 'tenants'];

/** The platform must not expose secrets. How clients handle theirs cannot be checked from outside. */
export const SECRECY_CHECKS: readonly Check[] = [
  {
    name: 'recorded requests and changes hold no client secret, API key or access token',
    clauses: ['common-rules/rule-2'],
    needs: 'control',
    async run(tenant) {
      const { clientSecret } = tenant.credential;
      const token = await requestedToken(tenant, 'content', 'api/read');
      const apiKey = await tenant.apiKey();
      // The answers do not matter: refused requests are recorded too.
      for (const authorization of [`Bearer ${token}`, basic(tenant.tenantId, apiKey)]) {
        await readWith(tenant, authorization);
        await restore(tenant, await tenant.archivedContent(), { headers: { authorization } });
      }
      const told = await observed(tenant);
      for (const secret of [
        clientSecret,
        token,
        apiKey,
        basic(tenant.tenantId, apiKey).slice('Basic '.length),
      ]) {
        must(!told.includes(secret), 'a secret is recorded');
      }
    },
  },
];

async function observed(tenant: ControlledTenant): Promise<string> {
  const told = [];
  for (const each of OBSERVATIONS) told.push(JSON.stringify(await tenant.control('GET', each)));
  return told.join('\n');
}
