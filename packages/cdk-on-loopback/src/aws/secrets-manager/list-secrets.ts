import { type Secret } from '../../account';
import { AwsError } from '../aws-error';
import { type Input } from '../input';
import { type Operation, requireAllowed } from '../operation';
import { pageOf } from '../paging';
import { summary, versionsToStages } from './describe-secret';
import { removeExpiredSecrets } from './find-secret';
import { matchesFilters, readFilters } from './secret-filters';

/** By what secrets are sorted. */
const SORTED_BY: Readonly<Record<string, (secret: Secret) => number | string>> = {
  'created-date': ({ createdAtMs }) => createdAtMs,
  'last-accessed-date': ({ lastAccessedAtMs }) => lastAccessedAtMs ?? 0,
  'last-changed-date': ({ lastChangedAtMs }) => lastChangedAtMs,
  name: ({ name }) => name,
};

/** @see API_ListSecrets */
export const listSecrets: Operation = {
  parameters: ['MaxResults', 'NextToken', 'Filters', 'IncludePlannedDeletion', 'SortOrder', 'SortBy'],
  run(input, call) {
    requireAllowed(call, { action: 'secretsmanager:ListSecrets', resource: '*' });
    const filters = readFilters(input);
    const includesDeleted = input.optionalBoolean('IncludePlannedDeletion') ?? false;
    const order = readOrder(input);
    removeExpiredSecrets(call);
    const matching = [...call.account.secrets.values()]
      .filter(({ deletedAtMs }) => includesDeleted || deletedAtMs === undefined)
      .filter(matchesFilters(filters))
      .sort(order);
    const page = pageOf(
      matching,
      input.optionalInteger('MaxResults', { min: 1, max: 100 }) ?? 100,
      input.optionalText('NextToken'),
      'InvalidNextTokenException',
    );
    return {
      SecretList: page.items.map((secret) => ({
        ...summary(secret),
        SecretVersionsToStages: versionsToStages(secret),
      })),
      NextToken: page.nextToken,
    };
  },
};

/** Oldest first, unless the request asks for another order. Secrets that are equal stay in the order of their creation. */
function readOrder(input: Input): (a: Secret, b: Secret) => number {
  const sortBy = input.optionalText('SortBy') ?? 'created-date';
  const direction = input.optionalText('SortOrder') === 'desc' ? -1 : 1;
  const key = Object.hasOwn(SORTED_BY, sortBy) ? SORTED_BY[sortBy] : undefined;
  if (!key) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value at 'sortBy' failed to satisfy constraint: ` +
        `Member must satisfy enum value set: [${Object.keys(SORTED_BY).join(', ')}]`,
    );
  }
  return (a, b) => (key(a) === key(b) ? 0 : key(a) < key(b) ? -direction : direction);
}
