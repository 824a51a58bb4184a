import { type ConfigurationIssue } from './configuration-issue';
import { type Outline } from './outline';
import { type RequiredTag, requiredTagsOf } from './required-tags-settings';

/** Deployments that lack a tag which every resource must have, or have another value than one that is allowed. */
export function requiredTagIssues({ deployments, requiredTags }: Outline): ConfigurationIssue[] {
  return deployments.flatMap((deployment, index) => {
    const { tags } = deployment ?? {};
    // The schema reports malformed ones.
    if (tags === undefined || tags === null) return [];
    return requiredTagsOf(requiredTags)
      .filter((tag) => !hasTag(tags, tag))
      .map((tag) => ({
        path: ['deployments', index, 'tags', tag.key],
        found: tags[tag.key],
        allowed: `${allowedValues(tag)}, by requiredTags`,
      }));
  });
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
