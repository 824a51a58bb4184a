import { type Probe, verdictOf } from '../probe';

export const requestContext: Probe = {
  id: 'request-context',
  group: 'gateway',
  subject: '`domainPrefix` and `path` in the context of a request',
  reliedOn: "the API's id, with which the host begins; the path with the stage",
  otherwise: 'the sandbox returns addresses that lead nowhere',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html',
  ],
  needs: 'latchkey',
  async look({ latchkey }) {
    const { control } = (await latchkey.sandbox.call('GET', '/addresses')) as { control: string };
    const { status } = await latchkey.request(`${control}/tenants`);
    // Control is there, and wants its secret.
    return verdictOf(status === 401, `the address that the sandbox gives of its control answered ${status}`);
  },
};
