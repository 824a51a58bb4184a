import { isJsonObject } from '../json-object';
import { type Account } from '../account';
import { type ExistingResource } from './resource-type';

/** Sets the tags of a resource that was created or updated: a list, or an object for some types. */
export function setTags(account: Account, resource: ExistingResource & { type: string }): void {
  const { Tags } = resource.properties as { Tags?: unknown };
  const arn = arnOf(account, resource);
  if (Array.isArray(Tags)) {
    const tags = Tags as { Key: string; Value: string }[];
    account.tags.set(arn, Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])));
  } else if (isJsonObject(Tags)) account.tags.set(arn, Tags as Record<string, string>);
  else if (account.tags.has(arn)) account.tags.set(arn, {});
}

function arnOf(
  { parameters }: Account,
  { type, ref, attributes: { Arn, TopicArn } }: ExistingResource & { type: string },
): string {
  if (type === 'AWS::SSM::Parameter') return parameters.get(ref)?.arn ?? ref;
  // The `Arn` attribute of a log group ends with `:*`, for its streams.
  return (Arn ?? TopicArn ?? ref).replace(/:\*$/, '');
}
