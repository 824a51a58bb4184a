import { type ConfigurationIssue } from './configuration-issue';
import { type RequiredTag, requiredTagsOf } from './required-tags-settings';
import { type WellFormed, type WellFormedConfiguration } from './well-formed';

/** Deployments whose tags lack a required one, or give it a value that is not allowed. */
export function requiredTagIssues({
  deployments = [],
  requiredTags,
}: WellFormedConfiguration): ConfigurationIssue[] {
  return deployments.flatMap((deployment, index) => {
    const { tags } = deployment ?? {};
    // The schema reports malformed ones.
    if (tags === undefined) return [];
    return requiredTagsOf(requiredTags ?? [])
      .filter(isWellFormed)
      .filter((tag) => !hasTag(tags, tag))
      .map((tag) => ({
        path: ['deployments', index, 'tags', tag.key],
        found: tags[tag.key],
        allowed: `${allowedValues(tag)}, by requiredTags`,
      }));
  });
}

function isWellFormed(tag: WellFormed<RequiredTag> | undefined): tag is RequiredTag {
  if (tag?.key === undefined) return false;
  return tag.values === undefined || (tag.values.length > 0 && !tag.values.includes(undefined));
}

/** Whether there is such a tag, with a value that is allowed. */
export function hasTag(tags: Readonly<Record<string, unknown>>, { key, values }: RequiredTag): boolean {
  const value = Object.hasOwn(tags, key) ? tags[key] : undefined;
  return typeof value === 'string' && (values?.includes(value) ?? true);
}

/** What a tag may be, for messages. */
export function allowedValues({ values }: RequiredTag): string {
  return values === undefined ? 'any value' : values.map((value) => JSON.stringify(value)).join(', ');
}
