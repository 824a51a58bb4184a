import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type Probe, verdictOf } from '../probe';

const ENOUGH_MIN = 20;

export const tokensFresh: Probe = {
  id: 'tokens-fresh',
  group: 'journeys',
  subject: 'Tokens of all tenants after the first load',
  reliedOn: 'each is valid for at least 20 more minutes, and a service can read it',
  otherwise: 'services call the platform with expired tokens',
  needs: 'latchkey',
  async look(system) {
    const { tenants, roles } = system.latchkey;
    const { secretsManager } = await system.as(roles.service);
    const now = await system.time.now();
    const minutes = await Promise.all(
      tenants
        .flatMap(({ tokens }) => tokens)
        .map(async ({ secretName }) => {
          const { SecretString = '{}' } = await secretsManager.send(
            new GetSecretValueCommand({ SecretId: secretName }),
          );
          const { expiresAt = '' } = JSON.parse(SecretString) as { expiresAt?: string };
          return Math.floor((Date.parse(expiresAt) - now.getTime()) / 60_000);
        }),
    );
    return verdictOf(
      minutes.every((left) => left >= ENOUGH_MIN),
      `${minutes.length} tokens, valid for ${Math.min(...minutes)} to ${Math.max(...minutes)} more minutes`,
    );
  },
};
