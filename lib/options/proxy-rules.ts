import { isLoopback, showAddress } from '../../core/deployment/platform-address';
import { isInOtherRegion, isOfOtherAccount } from './arn';
import { type ConfigurationIssue } from './configuration-issue';
import { type WellFormedDeployment } from './well-formed';
import { PROXY_URL_RULE } from './proxy-settings';

/** Paths are relative to the deployment. */
export function proxyIssues(
  { account, proxy, region }: WellFormedDeployment,
  local: boolean,
): ConfigurationIssue[] {
  if (proxy === undefined) return [];
  const { url, credentialsSecretArn: secret, credentialsKmsKeyArn: key, awsCalls } = proxy;
  const issues: ConfigurationIssue[] = [];
  const issue = (field: string, found: string | undefined, allowed: string) =>
    issues.push({ path: ['proxy', field], found, allowed });
  if (url !== undefined) {
    const parsed =
      /^https?:\/\/[a-z0-9.:[\]-]+\/?$/i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined) issue('url', showAddress(url), PROXY_URL_RULE);
    else if (local && !isLoopback(parsed.hostname))
      issue('url', showAddress(url), 'a proxy on loopback, because the configuration is local');
  }
  if (isInOtherRegion(secret, region))
    issue('credentialsSecretArn', secret, `a secret in ${region}, the region of the deployment`);
  if (key !== undefined && secret === undefined)
    issue('credentialsKmsKeyArn', key, 'nothing without credentialsSecretArn');
  if (isInOtherRegion(key, region))
    issue('credentialsKmsKeyArn', key, `a key in ${region}, the region of the deployment`);
  // https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_examples_cross.html
  if (key === undefined && isOfOtherAccount(secret, account))
    issue(
      'credentialsKmsKeyArn',
      undefined,
      `the key of the secret, because ${account} cannot use the AWS managed key of ${secret?.split(':')[4]}`,
    );
  if (awsCalls === 'proxy' && secret !== undefined)
    issue(
      'awsCalls',
      awsCalls,
      'direct together with credentialsSecretArn, because the functions read the credentials from AWS first',
    );
  return issues;
}
