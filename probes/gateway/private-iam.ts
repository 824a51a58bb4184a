import { notRun, type Probe } from '../probe';

export const privateIam: Probe = {
  id: 'private-iam',
  group: 'gateway',
  subject: 'A private API in iam mode with a resource policy that allows nobody',
  reliedOn: 'the identity policy is enough within the account (table A of the authorization flow)',
  otherwise: 'every restore is 403',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html',
  ],
  look: () =>
    Promise.resolve(
      notRun('needs a VPC endpoint: call the API through it with a role that has `grantRestore`'),
    ),
};
