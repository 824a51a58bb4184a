import { type Secret } from '../../account';
import { AwsError } from '../aws-error';
import { type Input } from '../input';

type Matcher = (secret: Secret, searched: string) => boolean;

/** How the values of a filter match, by its key. `owning-service` and `primary-region` match nothing here. */
const MATCHERS: Readonly<Record<string, Matcher>> = {
  name: ({ name }, searched) => name.startsWith(searched),
  description: ({ description = '' }, searched) => hasWords([description], searched),
  'tag-key': ({ tags }, searched) => Object.keys(tags).some((key) => key.startsWith(searched)),
  'tag-value': ({ tags }, searched) => Object.values(tags).some((value) => value.startsWith(searched)),
  'primary-region': () => false,
  'owning-service': () => false,
  all: ({ name, description = '', tags }, searched) =>
    hasWords([name, description, ...Object.entries(tags).flat()], searched),
};

interface SecretFilter {
  matches: Matcher;
  values: string[];
}

/** @throws {AwsError} ValidationException for an unknown key, InvalidParameterException without key or values */
export function readFilters(input: Input): SecretFilter[] | undefined {
  return input.optionalInputs('Filters', { max: 10 })?.map((filter, n) => {
    const key = filter.optionalText('Key');
    if (key === undefined) throw new AwsError('InvalidParameterException', 'Invalid filter key');
    const matches = Object.hasOwn(MATCHERS, key) ? MATCHERS[key] : undefined;
    if (!matches) {
      throw new AwsError(
        'ValidationException',
        `1 validation error detected: Value at 'filters.${n + 1}.member.key' failed to satisfy constraint: ` +
          `Member must satisfy enum value set: [${Object.keys(MATCHERS).join(', ')}]`,
      );
    }
    const values = filter.optionalTexts('Values', { min: 1, max: 10 });
    if (!values) throw new AwsError('InvalidParameterException', `Invalid filter values for key: ${key}`);
    return { matches, values };
  });
}

/**
 * Whether a secret matches one value of each filter. A value that begins with `!` matches the secrets that its rest does not.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Filter.html
 */
export function matchesFilters(filters: readonly SecretFilter[] = []): (secret: Secret) => boolean {
  return (secret) =>
    filters.every(({ matches, values }) =>
      values.some((value) =>
        value.startsWith('!') ? !matches(secret, value.slice(1)) : matches(secret, value),
      ),
    );
}

/** Whether each word of the search begins a word of the texts. */
function hasWords(texts: readonly string[], searched: string): boolean {
  const words = texts.flatMap(wordsOf);
  const wanted = wordsOf(searched);
  return wanted.length > 0 && wanted.every((part) => words.some((word) => word.startsWith(part)));
}

/**
 * Splits at punctuation, between letters and numbers, and before a capital that begins a word: `COMPANYthings` is
 * `compan` and `ythings`.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_search-secret.html
 * @see https://github.com/getmoto/moto/blob/master/tests/test_secretsmanager/test_list_secrets.py (verified on AWS)
 */
function wordsOf(text: string): string[] {
  return (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? []).map((word) => word.toLowerCase());
}
