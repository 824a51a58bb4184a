import { type Probe, verdictOf } from '../probe';
import { RIGHT, withRestApi } from '../rest-api';

export const authorizerContext: Probe = {
  id: 'authorizer-context',
  group: 'gateway',
  subject: '`context` of an authorizer whose result has a `usageIdentifierKey`',
  reliedOn: 'it reaches the restore function as `requestContext.authorizer`',
  otherwise: 'the history lacks the caller',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html',
  ],
  look: (system) => {
    const usagePlan = { Quota: { Limit: 1000, Period: 'DAY' } };
    return withRestApi(system, { authorization: 'CUSTOM', usagePlan }, async (api) => {
      const { body } = await api.ready('/one', { headers: RIGHT });
      const { authorizer = {} } = JSON.parse(body) as { authorizer?: { caller?: string } };
      return verdictOf(
        authorizer.caller === 'probe',
        `the function got ${Object.keys(authorizer).sort().join(', ') || 'no context'}`,
      );
    });
  },
};
