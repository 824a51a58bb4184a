import { GUARANTEED_LIFE_SEC } from '../../contract/lifetimes';
import { deploymentName } from '../../contract/token-key';
import { type Finding } from './finding';
import { deploymentKeyOf, type Outline } from './outline';
import { domainFindings, restoreApiFindings } from './restore-api-rules';

/** What is wrong with single deployments, and between them. */
export function deploymentFindings({ deployments, endpoints, local }: Outline): Finding[] {
  const seen = new Set<string>();
  const findings = deployments.flatMap((deployment, index) => {
    if (deployment === null) return [];
    const path = ['deployments', index];
    const findings: Finding[] = [];
    const deploymentKey = deploymentKeyOf(deployment);
    if (deploymentKey !== undefined) {
      const found = deploymentName(deploymentKey);
      if (seen.has(found)) findings.push({ path, found, allowed: 'each environment × platform region once' });
      seen.add(found);
      if (endpoints[deploymentKey.environment]?.[deploymentKey.platformRegion] === undefined) {
        const allowed = `a deployment with addresses in endpoints.${deploymentKey.environment}.${deploymentKey.platformRegion}`;
        findings.push({ path, found, allowed });
      }
    }
    const { readerCacheSec } = deployment;
    if (readerCacheSec !== undefined && readerCacheSec >= GUARANTEED_LIFE_SEC) {
      const allowed = `less than the ${GUARANTEED_LIFE_SEC} s that a stored token is guaranteed to live`;
      findings.push({ path: [...path, 'readerCacheSec'], found: readerCacheSec, allowed });
    }
    findings.push(
      ...[...alarmFindings(deployment), ...restoreApiFindings(deployment, local)].map((finding) => ({
        ...finding,
        path: [...path, ...finding.path],
      })),
    );
    for (const field of ['account', 'region'] as const) {
      if (local && typeof deployment[field] === 'string') {
        const allowed = 'nothing: a configuration marked local is never deployed to an account';
        findings.push({ path: [...path, field], found: deployment[field], allowed });
      }
    }
    return findings;
  });
  return [...findings, ...domainFindings(deployments)];
}

/** Paths are relative to the deployment. */
function alarmFindings({
  alarms,
  credentials,
  region,
}: NonNullable<Outline['deployments'][number]>): Finding[] {
  if (alarms === null) return [];
  const { topicArn, emails, rotationNoticeDays, apiKeyNoticeDays, apiKeyUrgentDays } = alarms;
  const findings: Finding[] = [];
  if (topicArn !== undefined && emails.length > 0) {
    const allowed = 'nothing beside topicArn: subscribe them to your topic yourself';
    findings.push({ path: ['alarms', 'emails'], found: emails, allowed });
  }
  // CloudWatch refuses another one, in the middle of a deployment.
  if (topicArn !== undefined && typeof region === 'string' && topicArn.split(':')[3] !== region) {
    const allowed = `a topic in ${region}, where the alarms are`;
    findings.push({ path: ['alarms', 'topicArn'], found: topicArn, allowed });
  }
  if (isAtLeast(rotationNoticeDays, credentials.maxAgeDays)) {
    const allowed = `less than the ${credentials.maxAgeDays} days of credentials.maxAgeDays`;
    findings.push({ path: ['alarms', 'rotationNoticeDays'], found: rotationNoticeDays, allowed });
  }
  if (isAtLeast(apiKeyUrgentDays, apiKeyNoticeDays)) {
    const allowed = `less than the ${apiKeyNoticeDays} days of apiKeyNoticeDays`;
    findings.push({ path: ['alarms', 'apiKeyUrgentDays'], found: apiKeyUrgentDays, allowed });
  }
  return findings;
}

/** False where one is malformed, which the schema reports. */
function isAtLeast(value: number | null, bound: number | null): boolean {
  return value !== null && bound !== null && value >= bound;
}
