import { type Probe, verdictOf } from '../probe';
import { outcomeOf, PUBLISHED, restore } from '../with-latchkey';

/** A new deployment of an API answers everywhere after some seconds. */
const DEPLOYED_SEC = 120;

export const restoreSigned: Probe = {
  id: 'restore-signed',
  group: 'journeys',
  subject:
    'A restore with a signed request, after the deployment is changed to `"auth": "iam"` at the same address',
  reliedOn: 'a role with `execute-api:Invoke` restores contents; requests without a signature get 403',
  otherwise: 'callers cannot restore, or those who should not can',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/permissions.html',
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html',
  ],
  needs: 'latchkey',
  slow: true,
  async look(system) {
    const { latchkey, time } = system;
    const [tenant] = latchkey.tenants;
    const before = latchkey.restoreApiUrl;
    try {
      await latchkey.deploy({ restoreApi: { auth: 'iam' } });
      const signedBy = { roleArn: latchkey.roles.service };
      let signed = '';
      await time.until(
        async () => {
          signed = outcomeOf(await restore(latchkey, tenant!, { signedBy }));
          return signed === PUBLISHED || undefined;
        },
        { withinSec: DEPLOYED_SEC },
      );
      const unsigned = outcomeOf(await restore(latchkey, tenant!, {}));
      const isSame = latchkey.restoreApiUrl === before;
      return verdictOf(
        signed === PUBLISHED && unsigned === '403 forbidden' && isSame,
        `signed: ${signed}; not signed: ${unsigned}; ${isSame ? 'the same' : 'another'} address`,
      );
    } finally {
      await latchkey.deploy({});
    }
  },
};
