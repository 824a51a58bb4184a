import { type Secret } from '../../account';
import { AwsError } from '../aws-error';
import { type Input } from '../input';

/**
 * The beginnings of names that the filters ask for, one list a filter. AWS has filters by more than the name, which are not served.
 * @throws {AwsError} ValidationException for another key, InvalidParameterException without key or values
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Filter.html
 */
export function readNameFilters(input: Input): string[][] {
  return (input.optionalInputs('Filters', { max: 10 }) ?? []).map((filter, n) => {
    const key = filter.optionalText('Key');
    if (key === undefined) throw new AwsError('InvalidParameterException', 'Invalid filter key');
    if (key !== 'name') {
      throw new AwsError(
        'ValidationException',
        `1 validation error detected: Value at 'filters.${n + 1}.member.key' failed to satisfy constraint: ` +
          'Member must satisfy enum value set: [name]',
      );
    }
    const values = filter.optionalTexts('Values', { min: 1, max: 10 });
    if (!values) throw new AwsError('InvalidParameterException', `Invalid filter values for key: ${key}`);
    return values;
  });
}

/** Whether a secret's name begins with one value of each filter. */
export const hasName =
  (filters: readonly string[][]) =>
  ({ name }: Secret): boolean =>
    filters.every((values) => values.some((value) => name.startsWith(value)));
