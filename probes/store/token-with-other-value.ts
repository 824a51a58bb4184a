import { randomUUID } from 'node:crypto';

import { PutSecretValueCommand, ResourceExistsException } from '@aws-sdk/client-secrets-manager';

import { asReliedOn, differs, type Probe } from '../probe';

export const tokenWithOtherValue: Probe = {
  id: 'token-with-other-value',
  group: 'store',
  subject: 'A `ClientRequestToken` that exists with another value',
  reliedOn: '`ResourceExistsException`; nothing changes',
  otherwise: 'two writers may both think that they won',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html'],
  async look(system) {
    const { arn: SecretId } = await system.secret('one');
    const ClientRequestToken = randomUUID();
    const { secretsManager } = system.aws;
    const put = (SecretString: string) =>
      secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken }));
    await put('two');
    try {
      await put('three');
      return differs('both were accepted');
    } catch (error) {
      if (error instanceof ResourceExistsException) return asReliedOn('ResourceExistsException');
      throw error;
    }
  },
};
