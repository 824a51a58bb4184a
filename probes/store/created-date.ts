import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type Probe, verdictOf } from '../probe';

const PAUSE_SEC = 60;

export const createdDate: Probe = {
  id: 'created-date',
  group: 'store',
  subject: '`CreatedDate` of a version in `GetSecretValue`',
  reliedOn: 'always the same, to the second, also after the version lost its labels',
  otherwise: 'a proven API key opens nothing until the next six-hour look',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html'],
  async look(system) {
    const { arn: SecretId } = await system.secret('one');
    const { VersionId } = await system.aws.secretsManager.send(new GetSecretValueCommand({ SecretId }));
    const read = async () => {
      const found = await system.aws.secretsManager.send(new GetSecretValueCommand({ SecretId, VersionId }));
      return { sec: Math.floor(found.CreatedDate!.getTime() / 1000), labels: found.VersionStages ?? [] };
    };
    const dates = [await read()];
    for (const SecretString of ['two', 'three']) {
      await system.time.pass(PAUSE_SEC);
      await system.aws.secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
      dates.push(await read());
    }
    const unlabeled = await system.time.until(
      async () => {
        const last = await read();
        return last.labels.length === 0 ? last : undefined;
      },
      { withinSec: 60 },
    );
    const seen = [...dates, ...(unlabeled ? [unlabeled] : [])];
    const spread = Math.max(...seen.map(({ sec }) => sec)) - Math.min(...seen.map(({ sec }) => sec));
    return verdictOf(
      spread === 0 && unlabeled !== undefined,
      `${seen.length} reads over ${2 * PAUSE_SEC} s, with and without labels, differed by ${spread} s`,
    );
  },
};
