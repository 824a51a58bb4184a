import { type Probe, verdictOf } from '../probe';
import { RIGHT, withRestApi, WRONG } from '../rest-api';

const QUOTA = 5;
/** More than the quota, because AWS enforces quotas on a best-effort basis. */
const REFUSED = 30;
/** A request that was counted is in the key's usage soon. */
const COUNTED_SEC = 30;

export const refusedBeforeQuota: Probe = {
  id: 'refused-before-quota',
  group: 'gateway',
  subject: 'The order of authorizer, API key, limit and quota of a usage plan',
  reliedOn: 'the authorizer first, because it returns the key: a 401 uses no quota',
  otherwise: "wrong credentials use up a tenant's quota",
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html',
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-key-source.html',
  ],
  look: (system) => {
    const usagePlan = { Quota: { Limit: QUOTA, Period: 'DAY' } };
    return withRestApi(system, { authorization: 'CUSTOM', usagePlan }, async (api) => {
      await api.ready('/one', { headers: WRONG }, ({ status }) => status === 401);
      const refused = await api.burst(REFUSED, '/one', { headers: WRONG });
      await system.time.pass(COUNTED_SEC);
      // Until the key is known, its requests are 403.
      const { status, type = '' } = await api.ready(
        '/one',
        { headers: RIGHT },
        (answer) => answer.status !== 403,
      );
      const others = refused.filter((answer) => answer.status !== 401).length;
      return verdictOf(
        status === 200 && others === 0,
        `after ${REFUSED} requests that the authorizer refused, with a quota of ${QUOTA}: ${status} ${type}`.trim(),
      );
    });
  },
};
