import { z } from 'zod';
import { MAX_CONTENTS } from './content/contents';
import { deploymentKeySchema } from './deployment-key';
import { profileSchema } from './issuers/issuer-profile';
import { seedContentSchema } from './seed-content';
import { brokenSeedRules } from './seed-rules';
import { parseInput, textSchema } from './validation';

export const TEN_YEARS_SEC = 10 * 366 * 24 * 60 * 60;
const MAX_REFERENCES = 1000;
const reference = textSchema(1, 128);

/** A duration in control requests and seeds: at most ten years. */
export const durationSecSchema = z.number().min(0).max(TEN_YEARS_SEC);
/** How long a new item is pending, and how long its processing takes. */
export const processingTimingSchema = z
  .strictObject({
    startsAfterSec: durationSecSchema.describe('Seconds that an item is pending.'),
    takesSec: durationSecSchema.describe('Seconds that processing then takes.'),
  })
  .partial();
/** Where archive and restore take the acting user from. @see platform specification, "Acting-user object", rule 5 */
export const actingUserInSchema = z.enum(['body', 'header']);

const headerName = z
  .string('a header name')
  .regex(/^[\w!#$%&'*+.^`|~-]{1,128}$/, "a header name of 1 to 128 letters, digits and !#$%&'*+-.^_`|~");
/** Names of the headers with the acting user. Assumed: the specification names none. @see RFC 9110, section 5.6.2 */
export const actingUserHeadersSchema = z.strictObject({ authorRef: headerName, collaborationId: headerName });

/** One tenant of a seed. Omitted fields are generated, the same in every run. */
export const seedTenantSchema = z.strictObject({
  tenantId: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, '1 to 128 letters, digits, _ and -'),
  authorRefs: z
    .array(reference)
    .min(1)
    .max(MAX_REFERENCES)
    .optional()
    .describe('Users of the tenant. Default: two generated ones.'),
  collaborationIds: z
    .array(reference)
    .max(MAX_REFERENCES)
    .optional()
    .describe('Collaborations of the tenant. Default: two generated ones.'),
  contents: z
    .array(seedContentSchema)
    .max(MAX_CONTENTS)
    .optional()
    .describe('Contents of the tenant. Default: five archived, and one in each other status.'),
});
export type SeedTenant = z.output<typeof seedTenantSchema>;

export const seedDeploymentsSchema = z.array(
  deploymentKeySchema.extend({ tenants: z.array(seedTenantSchema) }),
);
/** An issuer beside the platform, described by a profile. */
const seedIssuerSchema = z
  .strictObject({
    profile: profileSchema,
    name: z
      .string()
      .regex(/^[a-z0-9-]{1,128}$/, '1 to 128 lower-case letters, digits and hyphens')
      .optional(),
    tenants: z.array(z.strictObject({ tenantId: reference })).min(1),
  })
  .transform(({ name, profile, tenants }) => ({ name: name ?? profile.name, profile, tenants }));
const seedIssuersSchema = z.array(seedIssuerSchema).superRefine((issuers, context) => {
  const names = issuers.map(({ name }) => name);
  for (const [n, name] of names.entries()) {
    if (names.indexOf(name) === n) continue;
    context.addIssue({ code: 'custom', path: [n], message: 'an issuer whose name is not in use' });
  }
});
/** The fields of a seed, without rules between them. */
export const seedSchema = z.strictObject({
  deployments: seedDeploymentsSchema.default([]),
  issuers: seedIssuersSchema.default([]),
  restoreAvailable: z.boolean().default(true),
  actingUserIn: actingUserInSchema.default('body'),
  actingUserHeaders: actingUserHeadersSchema.default({
    authorRef: 'X-Author-Ref',
    collaborationId: 'X-Collaboration-Id',
  }),
  processing: processingTimingSchema.default({}),
  keyLagSec: durationSecSchema.default(0),
});
const servingSeedSchema = seedSchema.refine(
  ({ deployments, issuers }) => deployments.length + issuers.length > 0,
  {
    path: ['deployments'],
    message: 'at least one deployment, or issuers',
  },
);

/** The initial state: deployments, tenants, and settings for behavior that the specification leaves open. */
export type Seed = z.output<typeof seedSchema>;

/** The seed used without a seed file: one tenant per deployment. */
export const DEFAULT_SEED: { deployments: z.input<typeof seedDeploymentsSchema> } = {
  deployments: [
    { environment: 'staging', platformRegion: 'global', tenants: [{ tenantId: 'eu-west-2_StagingGl' }] },
    { environment: 'staging', platformRegion: 'mea', tenants: [{ tenantId: 'me-south-1_StagingMe' }] },
    { environment: 'production', platformRegion: 'global', tenants: [{ tenantId: 'eu-west-2_LiveGloba' }] },
    { environment: 'production', platformRegion: 'mea', tenants: [{ tenantId: 'me-south-1_LiveMeaAb' }] },
  ],
};

/**
 * Reads a seed.
 * @throws {InvalidInputError} with all faults of the seed
 */
export function parseSeed(input: unknown): Seed {
  return parseInput(servingSeedSchema, input, brokenSeedRules);
}
