import { type Probe, verdictOf } from '../probe';
import { withRestApi } from '../rest-api';

/** In platform mode, all of these are 404 `unknown_route`. */
const EXPECTED = ['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN'];

export const undefinedRoute: Probe = {
  id: 'undefined-route',
  group: 'gateway',
  subject: 'The type of gateway response of an undefined route whose `Authorization` header is no signature',
  reliedOn:
    'one of `MISSING_AUTHENTICATION_TOKEN`, `INVALID_SIGNATURE` and `EXPIRED_TOKEN`: in platform mode all are 404 `unknown_route`',
  otherwise: '400 `malformed_request`',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html',
    'https://github.com/HumanCellAtlas/data-store/issues/328',
  ],
  look: (system) =>
    withRestApi(system, {}, async (api) => {
      await api.ready('/one');
      const seen = [];
      for (const authorization of ['Bearer x', 'Basic eDp5', 'AWS4-HMAC-SHA256 x']) {
        const { status, type = 'none' } = await api.get('/one/unknown', { headers: { authorization } });
        seen.push({ scheme: authorization.split(' ')[0], status, type });
      }
      return verdictOf(
        seen.every(({ type }) => EXPECTED.includes(type)),
        seen.map(({ scheme, status, type }) => `${scheme}: ${status} ${type}`).join(', '),
      );
    }),
};
