import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { tokenTypeOf } from '../../contract/token-key';
import { differs, type Probe, verdictOf } from '../probe';
import { ensure, tokenWith } from '../with-latchkey';

export const ensureAsService: Probe = {
  id: 'ensure-as-service',
  group: 'journeys',
  subject: 'A service that asks token-refresh for a usable token, with a role of its own',
  reliedOn:
    'the answer has no token but the version of the secret, which the service reads; it may not read credentials',
  otherwise: 'services cannot rely on a token without the schedule',
  needs: 'latchkey',
  async look(system) {
    const { latchkey } = system;
    const [tenant] = latchkey.tenants;
    const service = await system.as(latchkey.roles.service);
    const type = tokenTypeOf(tokenWith(tenant!, 'api/read'));
    const answer = await ensure(service, latchkey, { ...type, tenantId: tenant!.tenantId });
    if (!answer.ok) return differs(`token-refresh answered ${answer.error.code}`);

    const { VersionId } = await service.secretsManager.send(
      new GetSecretValueCommand({ SecretId: answer.arn, VersionId: answer.versionId }),
    );
    const denied = await service.secretsManager
      .send(new GetSecretValueCommand({ SecretId: tenant!.secrets['client-credentials'] }))
      .then(
        () => 'allowed',
        ({ name }: Error) => name,
      );
    const seen = `the service read the version; reading client credentials: ${denied}`;
    return verdictOf(VersionId === answer.versionId && denied === 'AccessDeniedException', seen);
  },
};
