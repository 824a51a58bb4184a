import { partOf } from './arn';
import { partitionOf } from './aws-regions';
import { type ConfigurationIssue } from './configuration-issue';
import { type WellFormedConfiguration } from './well-formed';

/** ARNs of another partition than that of the deployment's AWS region. AWS rejects them in the middle of a deployment. */
export function partitionIssues({ deployments = [] }: WellFormedConfiguration): ConfigurationIssue[] {
  return deployments.flatMap((deployment, index) => {
    const region = deployment?.region;
    if (region === undefined) return [];
    const partition = partitionOf(region);
    return arnsIn(deployment, ['deployments', index])
      .filter(({ found }) => (partOf(found, 'partition') ?? partition) !== partition)
      .map((arn) => ({ ...arn, allowed: `an ARN of ${partition}, the partition of ${region}` }));
  });
}

function arnsIn(value: unknown, path: (string | number)[]): { path: (string | number)[]; found: string }[] {
  if (typeof value === 'string') return value.startsWith('arn:') ? [{ path, found: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    // The value of a tag can be any text.
    key === 'tags' ? [] : arnsIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
