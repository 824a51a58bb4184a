import { z } from 'zod';

import { lateKeyArn } from './arn';
import { AWS_REGIONS, nearestRegions } from './aws-regions';

/** Policies of the functions and operators name each key. */
const MAX_REGIONS = 5;

export const awsRegion = z
  .string({ error: 'an AWS region such as eu-central-1' })
  .superRefine((name, context) => {
    if (AWS_REGIONS.includes(name)) return;
    const message = `an AWS region, such as ${nearestRegions(name).join(', ')}`;
    context.addIssue({ code: 'custom', message });
  });

const replica = z.union(
  [
    awsRegion,
    z.strictObject({
      region: awsRegion.describe('AWS region of the replicas.'),
      kmsKeyArn: lateKeyArn()
        .optional()
        .describe(
          'The replicas’ key in that region. Default: the AWS managed key, which other accounts cannot use.',
        ),
    }),
  ],
  { error: 'an AWS region such as eu-central-1, or an object with region and kmsKeyArn' },
);

export const replicaRegions = z
  .array(replica, { error: 'a list of AWS regions' })
  .min(1, { error: 'at least one AWS region' })
  // Not max(), which zod also applies to a text in place of the list.
  .refine(({ length }) => length <= MAX_REGIONS, { error: `at most ${MAX_REGIONS} AWS regions` })
  .optional()
  .describe(
    'Other AWS regions to which Secrets Manager replicates tokens and credentials, for readers that go on when the deployment’s region fails. Adopted secrets are not replicated. Each replica costs as much as a secret.',
  );

/** An AWS region with replicas, and their key if it is not the AWS managed one. */
export interface Replica {
  readonly region: string;
  readonly kmsKeyArn?: string | undefined;
}

/** The entries of the option, each as an object. */
export function replicasOf<Other>(
  entries: readonly (string | Other)[] | undefined,
): (Other | { region: string; kmsKeyArn?: undefined })[] {
  return (entries ?? []).map((entry) => (typeof entry === 'string' ? { region: entry } : entry));
}
