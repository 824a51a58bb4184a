import { LimitExceededException, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { differs, type Probe, verdictOf } from '../probe';

/** What Latchkey keeps below. */
const BUDGET = 96;
const TRIED = 130;

export const versionLimit: Probe = {
  id: 'version-limit',
  group: 'store',
  subject: 'About 100 versions younger than 24 h',
  reliedOn: '`LimitExceededException`; Latchkey stops at 96',
  otherwise: 'the budget of writes is too large or small',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html',
  ],
  async look(system) {
    const { secretsManager } = system.aws;
    const { arn: SecretId } = await system.secret('1');
    for (let versions = 1; versions < TRIED; versions += 1) {
      try {
        await secretsManager.send(
          new PutSecretValueCommand({ SecretId, SecretString: String(versions + 1) }),
        );
      } catch (error) {
        if (!(error instanceof LimitExceededException)) throw error;
        return verdictOf(versions >= BUDGET, `LimitExceededException with ${versions} versions`);
      }
    }
    return differs(`${TRIED} versions were accepted`);
  },
};
