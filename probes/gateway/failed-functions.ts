import { type Probe, verdictOf } from '../probe';
import { withRestApi } from '../rest-api';

const FAILURES = ['crash', 'exit', 'malformed', 'slow'] as const;

export const failedFunctions: Probe = {
  id: 'failed-functions',
  group: 'gateway',
  subject:
    'Gateway responses for a function that throws, ends its process, answers in another format or times out',
  reliedOn: "`DEFAULT_5XX` with status 500 replaces API Gateway's own 502 and 504",
  otherwise: "a caller takes 502 for the platform's",
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html',
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/handle-errors-in-lambda-integration.html',
  ],
  look: (system) =>
    withRestApi(system, { timeoutSec: 1 }, async (api) => {
      await api.ready('/one');
      const answers = [];
      for (const failure of FAILURES) answers.push({ failure, ...(await api.get(`/${failure}`)) });
      return verdictOf(
        answers.every(({ status }) => status === 500),
        answers.map(({ failure, status, type = 'none' }) => `${failure}: ${status} ${type}`).join(', '),
      );
    }),
};
