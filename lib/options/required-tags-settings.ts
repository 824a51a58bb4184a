import { z } from 'zod';

import { tagKey, tagValue } from './tags';

const VALUES = 'a list of at least one value';

const requiredTag = z.strictObject({
  key: tagKey.describe('Key of the tag.'),
  values: z
    .array(tagValue, { error: VALUES })
    .min(1, { error: VALUES })
    .optional()
    .describe('The values that it may have. Default: any.'),
});

/** A tag that each deployment must have. */
export type RequiredTag = z.output<typeof requiredTag>;

/** The `requiredTags` of a configuration: keys, or keys with the values that they may have. */
export const requiredTags = z
  .array(z.union([tagKey, requiredTag], { error: 'the key of a tag, or an object with key and values' }), {
    error: 'a list of tags',
  })
  .refine((tags) => new Set(tags.map(keyOf)).size === tags.length, { error: 'each key once' });

/** The tags as objects. */
export function requiredTagsOf<Other>(
  tags: readonly (string | Other)[],
): (Other | { key: string; values?: undefined })[] {
  return tags.map((tag) => (typeof tag === 'string' ? { key: tag } : tag));
}

function keyOf(tag: string | RequiredTag): string {
  return typeof tag === 'string' ? tag : tag.key;
}
