import { distance } from 'fastest-levenshtein';

/**
 * The AWS regions of all partitions; a test compares them with those that CDK knows.
 * @see https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html
 */
export const AWS_REGIONS: readonly string[] = [
  'af-south-1',
  'ap-east-1',
  'ap-east-2',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'ca-central-1',
  'ca-west-1',
  'cn-north-1',
  'cn-northwest-1',
  'eu-central-1',
  'eu-central-2',
  'eu-isoe-west-1',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'eusc-de-east-1',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'me-west-1',
  'mx-central-1',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-gov-east-1',
  'us-gov-west-1',
  'us-iso-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'us-isob-west-1',
  'us-isof-east-1',
  'us-isof-south-1',
  'us-west-1',
  'us-west-2',
];

/** By the beginnings of their regions' names. Every other region is in the partition `aws`. */
const PARTITIONS: Readonly<Record<string, string>> = {
  'cn-': 'aws-cn',
  'eu-isoe-': 'aws-iso-e',
  'eusc-': 'aws-eusc',
  'us-gov-': 'aws-us-gov',
  'us-iso-': 'aws-iso',
  'us-isob-': 'aws-iso-b',
  'us-isof-': 'aws-iso-f',
};

/** The partition of an AWS region, as in its ARNs. */
export function partitionOf(region: string): string {
  return Object.entries(PARTITIONS).find(([start]) => region.startsWith(start))?.[1] ?? 'aws';
}

const SUGGESTIONS = 4;

/** The regions with the most similar names, closest first. */
export function nearestRegions(name: string): string[] {
  return [...AWS_REGIONS]
    .sort((one, other) => distance(name, one) - distance(name, other))
    .slice(0, SUGGESTIONS);
}
