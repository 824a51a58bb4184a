import { isInOtherRegion } from './arn';
import { partitionOf } from './aws-regions';
import { type ConfigurationIssue } from './configuration-issue';
import { replicasOf } from './replica-regions-settings';
import { type WellFormedDeployment } from './well-formed';

/** Violated rules about replicas of secrets. Paths are relative to the deployment. */
export function replicaIssues({
  region,
  replicaRegions,
  tenants = [],
}: WellFormedDeployment): ConfigurationIssue[] {
  const seen = new Set<string>();
  const isReadElsewhere = tenants.flatMap((tenant) => tenant?.tokens ?? []).some(hasForeignReaders);
  return replicasOf(replicaRegions).flatMap((replica, index): ConfigurationIssue[] => {
    if (replica?.region === undefined) return [];
    const path = ['replicaRegions', index];
    const found = replica.region;
    if (found === region) return [{ path, found, allowed: `another region than the deployment’s` }];
    if (seen.has(found)) return [{ path, found, allowed: 'each region once' }];
    seen.add(found);
    if (region !== undefined && partitionOf(found) !== partitionOf(region))
      return [{ path, found, allowed: `a region of ${partitionOf(region)}, the partition of ${region}` }];
    const { kmsKeyArn } = replica;
    if (kmsKeyArn === undefined && isReadElsewhere) return [{ path, found, allowed: NEEDS_KEY }];
    if (!isInOtherRegion(kmsKeyArn, found)) return [];
    return [{ path: [...path, 'kmsKeyArn'], found: kmsKeyArn, allowed: `a key in ${found}` }];
  });
}

/** @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_examples_cross.html */
const NEEDS_KEY =
  'an object with region and kmsKeyArn, because tokens have readerAccounts or readerOrganizations and other accounts cannot use the AWS managed key';

function hasForeignReaders(
  token: Partial<Record<'readerAccounts' | 'readerOrganizations', readonly unknown[]>> | undefined,
): boolean {
  return [...(token?.readerAccounts ?? []), ...(token?.readerOrganizations ?? [])].length > 0;
}
