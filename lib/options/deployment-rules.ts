import { deploymentStackName } from '../../core/deployment/stack-names';
import { DEFAULT_PREFIX } from '../../core/secrets/secret-names';
import { promiseOf } from '../../core/tokens/lifetimes';
import { deploymentName } from '../../core/tokens/token-key';
import { isInOtherRegion, isOfOtherAccount } from './arn';
import { type ConfigurationIssue } from './configuration-issue';
import { foreignReaderIssues } from './foreign-reader-rules';
import { issuerIssues } from './issuer-rules';
import { observationIssues } from './observation-rules';
import {
  addressesIn,
  wellFormedKeyOf,
  type WellFormedConfiguration,
  type WellFormedDeployment,
} from './well-formed';
import { proxyIssues } from './proxy-rules';
import { replicaIssues } from './replica-rules';
import { domainIssues, restoreApiIssues } from './restore-api-rules';

/**
 * EventBridge Scheduler allows 64 characters, of which `-credential-watch` takes 17.
 * @see Amazon EventBridge Scheduler API Reference, CreateSchedule (Name)
 */
const MAX_STACK_NAME = 47;
const ONE_PROFILE = 'a name that no other profile has: deployments of one issuer share its profile';

/** Violated rules within and between deployments. */
export function deploymentIssues(configuration: WellFormedConfiguration): ConfigurationIssue[] {
  const { deployments = [], local = false } = configuration;
  const issues = deployments.flatMap((deployment, index) => {
    if (deployment === undefined) return [];
    const earlier = deployments.slice(0, index).filter((other) => other !== undefined);
    return [
      ...deploymentKeyIssues(deployment, earlier, configuration),
      ...profileIssues(deployment, earlier),
      ...cacheIssues(deployment),
      ...keyIssues(deployment),
      ...readerIssues(deployment),
      ...foreignReaderIssues(deployment),
      ...replicaIssues(deployment),
      ...alarmIssues(deployment),
      ...observationIssues(deployment),
      ...restoreApiIssues(deployment, local),
      ...proxyIssues(deployment, local),
      ...issuerIssues(deployment, local),
      ...(local ? accountIssues(deployment) : []),
    ].map((issue) => ({ ...issue, path: ['deployments', index, ...issue.path] }));
  });
  return [...issues, ...domainIssues(deployments)];
}

// Paths of all issues below are relative to the deployment.

/** A key that makes names too long, that another deployment has, or that `endpoints` has no addresses for. */
function deploymentKeyIssues(
  deployment: WellFormedDeployment,
  earlier: readonly WellFormedDeployment[],
  { endpoints, prefix = DEFAULT_PREFIX }: WellFormedConfiguration,
): ConfigurationIssue[] {
  const key = wellFormedKeyOf(deployment);
  if (key === undefined) return [];
  const issues: ConfigurationIssue[] = [];
  const found = deploymentName(key);
  const stackName = deploymentStackName(prefix, key);
  if (stackName.length > MAX_STACK_NAME) {
    const allowed = `at most ${MAX_STACK_NAME} characters, because names of schedules begin with it: a shorter prefix, or shorter names of issuer, environment and region`;
    issues.push({ path: ['environment'], found: stackName, allowed });
  }
  if (earlier.map(wellFormedKeyOf).some((other) => other !== undefined && deploymentName(other) === found))
    issues.push({ path: [], found, allowed: 'each environment × platform region only once' });
  if (key.issuer === undefined && addressesIn(endpoints, deployment) === undefined) {
    const allowed = `a deployment with addresses in endpoints.${key.environment}.${key.platformRegion}`;
    issues.push({ path: [], found, allowed });
  }
  return issues;
}

/** If two profiles differed, one could have regions and one none: policies of one would then match secrets of the other. */
function profileIssues(
  { issuer, profile }: WellFormedDeployment,
  earlier: readonly WellFormedDeployment[],
): ConfigurationIssue[] {
  const other = issuer && earlier.filter((deployment) => deployment.issuer === issuer).at(-1);
  if (!other || JSON.stringify(other.profile) === JSON.stringify(profile)) return [];
  return [{ path: ['issuer'], found: issuer, allowed: ONE_PROFILE }];
}

function cacheIssues({ profile, readerCacheSec }: WellFormedDeployment): ConfigurationIssue[] {
  const { guaranteedLifeSec } = promiseOf(profile ?? {});
  if (readerCacheSec === undefined || readerCacheSec < Math.max(1, guaranteedLifeSec)) return [];
  const allowed =
    guaranteedLifeSec > 0
      ? `less than ${guaranteedLifeSec} s, the guaranteed validity of a stored token`
      : '0: renewals cannot guarantee any validity of the issuer’s tokens';
  return [{ path: ['readerCacheSec'], found: readerCacheSec, allowed }];
}

function accountIssues(deployment: WellFormedDeployment): ConfigurationIssue[] {
  const allowed = 'nothing: a local configuration is never deployed to an account';
  return (['account', 'region', 'awsProfile'] as const)
    .filter((field) => deployment[field] !== undefined)
    .map((field) => ({ path: [field], found: deployment[field], allowed }));
}

/** @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html (a key in the secret's region) */
function keyIssues({ kmsKeyArn, formerKmsKeyArns = [], region }: WellFormedDeployment): ConfigurationIssue[] {
  const keys = [
    ...(kmsKeyArn === undefined ? [] : [{ path: ['kmsKeyArn'], found: kmsKeyArn }]),
    ...formerKmsKeyArns.flatMap((found, index) =>
      found === undefined ? [] : [{ path: ['formerKmsKeyArns', index], found }],
    ),
  ];
  return keys.flatMap(({ path, found }, index) => {
    const issues: ConfigurationIssue[] = [];
    if (isInOtherRegion(found, region))
      issues.push({ path, found, allowed: `a key in ${region}, the region of the secrets` });
    const same = keys.slice(0, index).find((earlier) => earlier.found === found);
    if (same !== undefined) issues.push({ path, found, allowed: `another key than ${same.path.join('.')}` });
    return issues;
  });
}

/** A role of a wrong account goes unnoticed until somebody needs it in an emergency. */
function readerIssues({ account, secretReaders }: WellFormedDeployment): ConfigurationIssue[] {
  const { breakGlassRoleArn, credentials = [], tokens = [] } = secretReaders ?? {};
  const allowed = `a principal of ${account}, the account of the secrets; other accounts read tokens by readerAccounts or readerOrganizations`;
  return [
    { path: ['breakGlassRoleArn'], found: breakGlassRoleArn },
    ...credentials.map((found, index) => ({ path: ['credentials', index], found })),
    ...tokens.map((found, index) => ({ path: ['tokens', index], found })),
  ]
    .filter(({ found }) => isOfOtherAccount(found, account))
    .map(({ path, found }) => ({ path: ['secretReaders', ...path], found, allowed }));
}

function alarmIssues({ alarms, credentials, region }: WellFormedDeployment): ConfigurationIssue[] {
  if (alarms === undefined) return [];
  const { topicArn, emails = [], rotationNoticeDays, apiKeyNoticeDays, apiKeyUrgentDays } = alarms;
  const issues: ConfigurationIssue[] = [];
  if (topicArn !== undefined && emails.length > 0) {
    const allowed = 'nothing together with topicArn: subscribe the addresses to your topic yourself';
    issues.push({ path: ['alarms', 'emails'], found: emails, allowed });
  }
  // Otherwise CloudWatch rejects the topic in the middle of a deployment.
  if (isInOtherRegion(topicArn, region)) {
    const allowed = `a topic in ${region}, the region of the alarms`;
    issues.push({ path: ['alarms', 'topicArn'], found: topicArn, allowed });
  }
  const { maxAgeDays } = credentials ?? {};
  if (isAtLeast(rotationNoticeDays, maxAgeDays)) {
    const allowed = `less than credentials.maxAgeDays, ${maxAgeDays} days`;
    issues.push({ path: ['alarms', 'rotationNoticeDays'], found: rotationNoticeDays, allowed });
  }
  if (isAtLeast(apiKeyUrgentDays, apiKeyNoticeDays)) {
    const allowed = `less than apiKeyNoticeDays, ${apiKeyNoticeDays} days`;
    issues.push({ path: ['alarms', 'apiKeyUrgentDays'], found: apiKeyUrgentDays, allowed });
  }
  return issues;
}

/** False if one of them is malformed, which the schema reports. */
function isAtLeast(value: number | undefined, bound: number | undefined): boolean {
  return value !== undefined && bound !== undefined && value >= bound;
}
