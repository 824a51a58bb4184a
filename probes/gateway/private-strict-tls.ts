import { notRun, type Probe } from '../probe';

export const privateStrictTls: Probe = {
  id: 'private-strict-tls',
  group: 'gateway',
  subject: 'A private API with an enhanced TLS policy in strict mode',
  reliedOn:
    "it answers under its own name if the endpoint has private DNS, and not under the endpoint's name",
  otherwise: 'the TLS handshake fails',
  sources: ['https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html'],
  look: () => Promise.resolve(notRun('needs a VPC endpoint: call the API by both names from the VPC')),
};
