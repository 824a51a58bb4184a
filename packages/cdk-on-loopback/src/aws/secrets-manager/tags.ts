import { type Input } from '../input';

/** The tags in a request. */
export function readTags(input: Input): Record<string, string> {
  const tags = input.optionalInputs('Tags') ?? [];
  return Object.fromEntries(
    tags.map((tag) => [tag.text('Key', { max: 128 }), tag.optionalText('Value', { min: 0, max: 256 }) ?? '']),
  );
}

/** The condition keys of a request that sets tags. */
export function tagContext(tags: Readonly<Record<string, string>>): Record<string, string | string[]> {
  return {
    'aws:TagKeys': Object.keys(tags),
    ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
  };
}
