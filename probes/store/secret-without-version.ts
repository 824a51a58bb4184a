import { DescribeSecretCommand, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { asReliedOn, type Probe, verdictOf } from '../probe';

export const secretWithoutVersion: Probe = {
  id: 'secret-without-version',
  group: 'store',
  subject: 'A secret without any version',
  reliedOn: '`ResourceNotFoundException`, or a version without a value',
  otherwise: 'functions report another fault than a secret that was never loaded',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html'],
  async look(system) {
    const { secretsManager } = system.aws;
    const { arn: SecretId } = await system.secret();
    const { VersionIdsToStages = {} } = await secretsManager.send(new DescribeSecretCommand({ SecretId }));
    const versions = `${Object.keys(VersionIdsToStages).length} versions with labels`;
    try {
      const { SecretString } = await secretsManager.send(new GetSecretValueCommand({ SecretId }));
      return verdictOf(SecretString === undefined, `${versions}; an answer of GetSecretValue`);
    } catch (error) {
      const { name } = error as Error;
      if (name === 'ResourceNotFoundException') return asReliedOn(`${versions}; ${name}`);
      throw error;
    }
  },
};
