import { asReliedOn, notRun, type Probe } from '../probe';
import { RIGHT, withRestApi } from '../rest-api';

const QUOTA = 60;
const THROTTLE = { RateLimit: 1, BurstLimit: 1 };
/** A bucket of one request is full again, and what was counted is known. */
const SETTLED_SEC = 30;

export const throttledAndQuota: Probe = {
  id: 'throttled-and-quota',
  group: 'gateway',
  subject: 'Whether a request that a usage plan throttles counts toward its quota',
  reliedOn: 'it does not; if it does, a tenant that exceeds its limit has less of its quota left',
  otherwise: 'nothing: right either way',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html',
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html',
  ],
  look: (system) => {
    const usagePlan = { Quota: { Limit: QUOTA, Period: 'DAY' }, Throttle: THROTTLE };
    return withRestApi(system, { authorization: 'CUSTOM', usagePlan }, async (api) => {
      const options = { headers: RIGHT };
      await api.ready('/one', options);
      const types = (await api.burst(2 * QUOTA, '/one', options)).map(({ type = 'passed' }) => type);
      const count = (wanted: string) => types.filter((type) => type === wanted).length;
      const [passed, throttled] = [count('passed'), count('THROTTLED')];
      if (passed >= QUOTA || (passed + throttled < QUOTA && count('QUOTA_EXCEEDED') === 0))
        return notRun(
          `limits of a plan are not exact: of ${types.length} requests, ${throttled} were throttled`,
        );
      await system.time.pass(SETTLED_SEC);
      const { status } = await api.get('/one', options);
      return asReliedOn(
        `with a quota of ${QUOTA}, after ${passed} requests that passed and ${throttled} throttled ones: ${status}, so they ` +
          `${status === 200 ? 'do not count' : 'count'}`,
      );
    });
  },
};
