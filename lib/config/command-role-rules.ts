import { type ConfigurationIssue } from './configuration-issue';
import { type Outline } from './outline';

/** Violated rules about the role in which the command works. Paths are relative to the deployment. */
export function commandRoleIssues(
  { account, roleArn, mfaSerial, externalId }: NonNullable<Outline['deployments'][number]>,
  local: boolean,
): ConfigurationIssue[] {
  const issues: ConfigurationIssue[] = [];
  if (local && roleArn !== undefined) {
    const allowed = 'nothing: a local configuration is never deployed to an account';
    issues.push({ path: ['roleArn'], found: roleArn, allowed });
  }
  // The schema reports what is no ARN of a role.
  const ofRole = /^arn:[^:]+:iam::(\d{12}):role\//.exec(roleArn ?? '')?.[1];
  if (typeof account === 'string' && ofRole !== undefined && ofRole !== account) {
    issues.push({
      path: ['roleArn'],
      found: roleArn,
      allowed: `a role of ${account}, the deployment’s account`,
    });
  }
  if (roleArn === undefined) {
    for (const [field, found] of Object.entries({ mfaSerial, externalId }))
      if (found !== undefined) issues.push({ path: [field], found, allowed: 'nothing without roleArn' });
  }
  return issues;
}
