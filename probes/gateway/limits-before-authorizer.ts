import { notRun, type Probe, verdictOf } from '../probe';
import { withRestApi, WRONG } from '../rest-api';
import { LIMITS } from '../web-acl';

const REQUESTS = 100;

export const limitsBeforeAuthorizer: Probe = {
  id: 'limits-before-authorizer',
  group: 'gateway',
  subject: "The order of the stage's throttling and the authorizer",
  reliedOn: "the throttling first: requests with wrong credentials use up the stage's limits",
  otherwise: 'better than expected: wrong credentials do not keep correct ones out',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html',
  ],
  look: (system) =>
    withRestApi(system, { authorization: 'CUSTOM', stage: { MethodSettings: LIMITS } }, async (api) => {
      await api.ready('/one', { headers: WRONG }, ({ status }) => status === 401);
      const answers = await api.burst(REQUESTS, '/one', { headers: WRONG });
      const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
      if (count(401) + count(429) < REQUESTS) return notRun('other answers than 401 and 429');
      return verdictOf(
        count(429) > 0,
        `of ${REQUESTS} requests with wrong credentials, ${count(401)} were 401, and ${count(429)} were 429`,
      );
    }),
};
