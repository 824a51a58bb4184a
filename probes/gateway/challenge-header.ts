import { type Probe, verdictOf } from '../probe';
import { CHALLENGE, withRestApi } from '../rest-api';

export const challengeHeader: Probe = {
  id: 'challenge-header',
  group: 'gateway',
  subject: 'The `WWW-Authenticate` header on the 401 of a gateway response',
  reliedOn: 'it arrives under its own name',
  otherwise: 'clients miss the challenge',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html',
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html',
  ],
  look: (system) =>
    withRestApi(system, { authorization: 'CUSTOM' }, async (api) => {
      const { headers } = await api.ready('/one', {}, ({ status }) => status === 401);
      const names = Object.keys(headers).filter((name) => name.endsWith('www-authenticate'));
      return verdictOf(
        headers['www-authenticate'] === CHALLENGE,
        names.length === 0 ? 'no such header' : `it arrives as ${names.join(', ')}`,
      );
    }),
};
