import { type RequestContext } from '../../iam/context-keys';
import { invalidParameter } from '../aws-error';
import { type Input } from '../input';
import { type Operation } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';

const MAX_TAGS = 50;

/** @see API_TagResource */
export const tagResource: Operation = {
  parameters: ['SecretId', 'Tags'],
  run(input, call) {
    const tags = readTags(input);
    const secret = openSecret(input, call, 'TagResource', tagContext(tags));
    requireNotDeleted(secret);
    const all = { ...secret.tags, ...tags };
    if (Object.keys(all).length > MAX_TAGS) {
      throw invalidParameter(`A secret can have ${MAX_TAGS} tags.`);
    }
    secret.tags = all;
    return {};
  },
};

export function readTags(input: Input): Record<string, string> {
  const tags = input.optionalInputs('Tags') ?? [];
  return Object.fromEntries(
    tags.map((tag) => [tag.text('Key', { max: 128 }), tag.optionalText('Value', { min: 0, max: 256 }) ?? '']),
  );
}

/** The condition keys of a request that sets tags. */
export function tagContext(tags: Readonly<Record<string, string>>): RequestContext {
  return {
    'aws:TagKeys': Object.keys(tags),
    ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
  };
}
