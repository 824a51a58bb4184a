import { notRun, type Probe, verdictOf } from '../probe';
import { recordReads } from '../recorded-reads';

export const auditedDenials: Probe = {
  id: 'audited-denials',
  group: 'store',
  subject: 'A denied `GetSecretValue` in CloudTrail',
  reliedOn: 'its `requestParameters` name the secret, as those of a successful one',
  otherwise: '`auditSecrets` notifies of reads that succeed, and not of those that `secretReaders` denies',
  sources: [
    'https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-record-contents.html',
  ],
  slow: true,
  async look(system) {
    const { reads } = await recordReads(system);
    if (reads.length === 0) return notRun('no event within 15 min; a trail must record management events');
    const denied = reads.filter(({ isDenied }) => isDenied).length;
    return verdictOf(
      denied > 0,
      `messages of ${denied} denied and ${reads.length - denied} successful reads came`,
    );
  },
};
