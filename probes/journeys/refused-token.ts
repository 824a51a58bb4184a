import { createTokenSource } from '../../client';
import { tokenKeyOf } from '../../contract/token-key';
import { type Probe, verdictOf } from '../probe';
import { contentBaseUrl, tokenWith } from '../with-latchkey';

export const refusedToken: Probe = {
  id: 'refused-token',
  group: 'journeys',
  subject: 'A token that the platform revokes while a service has it in memory',
  reliedOn:
    'the next call of `latchkey/client` gets a 401, has token-refresh replace the token, and succeeds with the new one',
  otherwise: 'services fail until the schedule renews the token, up to 40 minutes later',
  needs: 'latchkey',
  async look(system) {
    const { latchkey } = system;
    const tenant = latchkey.tenants[0]!;
    const { environment, platformRegion } = latchkey;
    const { secretName, ...type } = tokenWith(tenant, 'api/read');
    const key = tokenKeyOf({ environment, platformRegion, tenantId: tenant.tenantId }, type);
    const { secretsManager, lambda } = await system.as(latchkey.roles.service);
    const url = `${await contentBaseUrl(latchkey)}/contents`;
    const statuses: number[] = [];
    const source = createTokenSource({
      ...{ secretsManager, lambda, secretId: () => secretName },
      tokenRefresh: await latchkey.functionArn('token-refresh'),
      fetch: async (_, { headers } = {}) => {
        const { status, body } = await latchkey.request(url, {
          headers: Object.fromEntries(new Headers(headers)),
        });
        statuses.push(status);
        return new Response(body, { status });
      },
    });
    await source.authorizedFetch(key, url);
    const { accessToken } = await source.getToken(key);
    await latchkey.sandbox.call('DELETE', '/tokens', { accessToken });
    await source.authorizedFetch(key, url);
    const isOther = (await source.getToken(key)).accessToken !== accessToken;

    return verdictOf(
      isOther && statuses.join() === '200,401,200',
      `statuses ${statuses.join(', ')}; then ${isOther ? 'another' : 'the same'} token`,
    );
  },
};
