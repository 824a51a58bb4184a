import { type Operation, requireAllowed } from '../operation';
import { pageOf } from '../paging';
import { summary, versionsToStages } from './describe-secret';
import { removeExpiredSecrets } from './find-secret';
import { hasName, readNameFilters } from './secret-filters';

/** Lists secrets, the oldest first. @see API_ListSecrets */
export const listSecrets: Operation = {
  parameters: ['MaxResults', 'NextToken', 'Filters', 'IncludePlannedDeletion'],
  run(input, call) {
    requireAllowed(call, { action: 'secretsmanager:ListSecrets', resource: '*' });
    const filters = readNameFilters(input);
    const includesDeleted = input.optionalBoolean('IncludePlannedDeletion') ?? false;
    removeExpiredSecrets(call);
    const matching = [...call.account.secrets.values()]
      .filter(({ deletedAtMs }) => includesDeleted || deletedAtMs === undefined)
      .filter(hasName(filters))
      .sort((a, b) => a.createdAtMs - b.createdAtMs);
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
