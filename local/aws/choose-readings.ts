import { AwsError } from './aws-error';
import { type Input } from './input';

/** The values of each reading, its default first. A reading is one of several ways to understand what AWS does. */
type ReadingValues = Readonly<Record<string, readonly [string, ...string[]]>>;

/** A value for each reading. */
export type Chosen<Values extends ReadingValues> = { -readonly [Name in keyof Values]: Values[Name][number] };

export function defaultsOf<Values extends ReadingValues>(values: Values): Chosen<Values> {
  const defaults = Object.entries(values).map(([name, [first]]) => [name, first]);
  return Object.fromEntries(defaults) as Chosen<Values>;
}

/**
 * Changes the readings that the input names, for example `{"pathParameters": "decoded"}`; all others to their defaults.
 * @throws {AwsError} ValidationException for an unknown reading or value
 */
export function chooseReadings<Values extends ReadingValues>(
  values: Values,
  readings: Chosen<Values>,
  input: Input,
): Chosen<Values> {
  input.refuseOtherThan(Object.keys(values));
  for (const [name, allowed] of Object.entries(values)) {
    const value = input.optionalText(name) ?? allowed[0];
    if (!allowed.includes(value))
      throw new AwsError('ValidationException', `${name}: allowed: ${allowed.join(', ')}`);
    Object.assign(readings, { [name]: value });
  }
  return readings;
}
