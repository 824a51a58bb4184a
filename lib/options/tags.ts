import { z } from 'zod';

/** AWS allows 50 on a resource; the others are for Latchkey and CloudFormation. */
const MAX_TAGS = 45;
const CHARACTERS = 'letters, digits, spaces and _.:/=+-@';
const KEY = `a key of 1–128 ${CHARACTERS}, that does not start with aws: or latchkey:`;
const VALUE = `a text of at most 256 ${CHARACTERS}`;

export const tagKey = z
  .string({ error: KEY })
  .regex(/^(?!(aws|latchkey):)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/iu, { error: KEY });

export const tagValue = z
  .string({ error: VALUE })
  .regex(/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u, { error: VALUE });

/**
 * Tags for every resource. AWS rejects malformed ones in the middle of a deployment, and policies rely on those of `latchkey:`.
 * @see https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html
 */
export const tags = z
  .record(tagKey, tagValue)
  .refine((given) => Object.keys(given).length <= MAX_TAGS, { error: `at most ${MAX_TAGS} tags` });
