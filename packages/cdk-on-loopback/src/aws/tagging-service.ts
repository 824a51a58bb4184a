import { type Account } from '../account';
import { requireAllowed } from '../iam/authorize';
import { invalidParameter } from './aws-error';
import { type Input } from './input';
import { type Operations } from './operation';
import { pageOf } from './paging';
import { removeExpiredSecrets } from './secrets-manager/find-secret';

type Tags = Readonly<Record<string, string>>;

/** The operations of the Resource Groups Tagging API supported here. */
export const TAGGING_OPERATIONS: Operations = {
  /** Returns the resources whose tags match every filter. */
  GetResources: {
    parameters: ['TagFilters', 'ResourceTypeFilters', 'ResourcesPerPage', 'PaginationToken'],
    run(input, call) {
      requireAllowed(call, { action: 'tag:GetResources', resource: '*' });
      const size = input.optionalInteger('ResourcesPerPage') ?? 50;
      if (size < 1 || size > 100) throw invalidParameter('ResourcesPerPage must be between 1 and 100.');
      const types = input.optionalTexts('ResourceTypeFilters') ?? [];
      const matchesTags = readTagFilters(input);
      removeExpiredSecrets(call);
      const matching = taggedResources(call.account)
        .filter(({ arn }) => types.length === 0 || types.some((type) => isOfType(arn, type)))
        .filter(({ tags }) => matchesTags(tags));
      const token = input.optionalText('PaginationToken', { min: 0 }) || undefined;
      const page = pageOf(matching, size, token, 'InvalidParameterException');
      return {
        PaginationToken: page.nextToken ?? '',
        ResourceTagMappingList: page.items.map(({ arn, tags }) => ({
          ResourceARN: arn,
          Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
        })),
      };
    },
  },
};

/** All resources with tags: secrets with those that they have now, others with their template's. */
function taggedResources(account: Account): { arn: string; tags: Tags }[] {
  const { alarms, functions, keys, keysInDeletion, logGroups, parameters, queues, topics } = account;
  const secrets = [...account.secrets.values()].filter(({ tags }) => Object.keys(tags).length > 0);
  const others = [logGroups, parameters, keys, keysInDeletion, functions, queues, topics, alarms];
  return [
    ...secrets.map(({ arn, tags }) => ({ arn, tags })),
    ...others.flatMap((resources) =>
      [...resources.values()].flatMap(({ arn }) => {
        const tags = account.tags.get(arn);
        return tags ? [{ arn, tags }] : [];
      }),
    ),
  ];
}

/** A filter matches one of its values, or its key with any value; all filters must match. */
function readTagFilters(input: Input): (tags: Tags) => boolean {
  const filters = (input.optionalInputs('TagFilters', { max: 50 }) ?? []).map((filter) => ({
    key: filter.text('Key', { max: 128 }),
    values: filter.optionalTexts('Values', { max: 20 }) ?? [],
  }));
  return (tags) =>
    filters.every(({ key, values }) => {
      const value = Object.hasOwn(tags, key) ? tags[key] : undefined;
      return value !== undefined && (values.length === 0 || values.includes(value));
    });
}

/** Whether an ARN is of a type: `SERVICE`, or `SERVICE:TYPE` with the type as in the ARN. */
function isOfType(arn: string, type: string): boolean {
  const [, , service, , , ...resource] = arn.split(':');
  const [ofService, ofType] = type.split(':');
  return service === ofService && (ofType === undefined || resource[0]?.split('/')[0] === ofType);
}
