import { notRun, type Probe, verdictOf } from '../probe';
import { recordReads } from '../recorded-reads';

export const auditedReads: Probe = {
  id: 'audited-reads',
  group: 'store',
  subject: 'A rule for reads of secrets, whose target is a topic with a role',
  reliedOn:
    'EventBridge matches `GetSecretValue` of CloudTrail, by name or ARN, and publishes with the role, also to an encrypted topic',
  otherwise: '`auditSecrets` says nothing',
  sources: [
    'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail-management.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/cloudtrail_log_entries.html',
  ],
  slow: true,
  async look(system) {
    const { reads, name, arn } = await recordReads(system);
    if (reads.length === 0) return notRun('no event within 15 min; a trail must record management events');
    const [byName, byArn] = [name, arn].map((id) =>
      reads.some(({ secretId, isDenied }) => secretId === id && !isDenied),
    );
    const came = (isThere: boolean | undefined) => (isThere ? 'came' : 'did not come');
    return verdictOf(
      byName === true && byArn === true,
      `the message of a read by name ${came(byName)}, that of one by ARN ${came(byArn)}`,
    );
  },
};
