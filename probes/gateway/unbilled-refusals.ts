import { notRun, type Probe } from '../probe';

export const unbilledRefusals: Probe = {
  id: 'unbilled-refusals',
  group: 'gateway',
  subject: 'Requests that the authorizer refuses',
  reliedOn: 'API Gateway does not bill them',
  otherwise: 'a flood of 20 requests a second costs USD 6.05 more a day',
  sources: ['https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-pricing.html'],
  look: () =>
    Promise.resolve(
      notRun('a bill takes days: send some to an account without other APIs, and read the bill'),
    ),
};
