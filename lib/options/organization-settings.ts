import { z } from 'zod';

const ORGANIZATION = 'the id of an organization, such as o-a1b2c3d4e5';

/** Policies name each one. Few companies have more than one. */
const MAX_ORGANIZATIONS = 10;

/**
 * Ids of organizations of AWS Organizations.
 * @see https://docs.aws.amazon.com/organizations/latest/APIReference/API_Organization.html (Id)
 */
export const organizationIds = z
  .array(z.string({ error: ORGANIZATION }).regex(/^o-[a-z0-9]{10,32}$/, { error: ORGANIZATION }), {
    error: 'a list of ids of organizations (o-…)',
  })
  .max(MAX_ORGANIZATIONS, { error: `at most ${MAX_ORGANIZATIONS} organizations` })
  .refine((ids) => new Set(ids).size === ids.length, { error: 'each organization once' })
  .default([]);
