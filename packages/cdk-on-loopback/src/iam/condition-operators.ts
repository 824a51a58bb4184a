import { BlockList, isIP } from 'node:net';
import { matchesArn, matchesWildcards } from './wildcard';

/** Compares one value of a policy with one value of the request. */
interface Operator {
  matches: (policyValue: string, requestValue: string) => boolean;
  /** The operator holds if none of its values matches, or the key is absent. */
  negated?: true;
  valuesAreArns?: true;
  /** How a value with policy variables is compared; other operators take none. */
  variables?: 'text' | 'pattern';
}

/** An operator with its quantifier and `IfExists`. `Null` is not among them. */
interface ConditionOperator extends Operator {
  quantifier?: 'ForAnyValue' | 'ForAllValues';
  ifExists: boolean;
}

const equal = (policyValue: string, requestValue: string) => policyValue === requestValue;
const equalIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const arnLike = (policyValue: string, requestValue: string) => matchesArn(policyValue, requestValue) === true;

type Comparison = (requested: number, limit: number) => boolean;
const numeric = (compare: Comparison) => (limit: string, requested: string) =>
  requested.trim() !== '' && limit.trim() !== '' && compare(Number(requested), Number(limit));
const date = (compare: Comparison) => (limit: string, requested: string) =>
  compare(timeOf(requested), timeOf(limit));

/** Milliseconds since 1970 of a date in ISO 8601 or in seconds since 1970; NaN for anything else. */
function timeOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
}

function isInRange(range: string, address: string): boolean {
  const [start = '', length] = range.split('/');
  const family = isIP(start) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(start) === 0 || isIP(start) !== isIP(address)) return false;
  const list = new BlockList();
  const bits = length === undefined ? (family === 'ipv6' ? 128 : 32) : Number(length);
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 'ipv6' ? 128 : 32)) return false;
  list.addSubnet(start, bits, family);
  return list.check(address, family);
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: { matches: equal, variables: 'text' },
  StringNotEquals: { matches: equal, negated: true, variables: 'text' },
  StringEqualsIgnoreCase: { matches: equalIgnoringCase, variables: 'text' },
  StringNotEqualsIgnoreCase: { matches: equalIgnoringCase, negated: true, variables: 'text' },
  StringLike: { matches: matchesWildcards, variables: 'pattern' },
  StringNotLike: { matches: matchesWildcards, negated: true, variables: 'pattern' },
  ArnEquals: { matches: arnLike, valuesAreArns: true, variables: 'pattern' },
  ArnLike: { matches: arnLike, valuesAreArns: true, variables: 'pattern' },
  ArnNotEquals: { matches: arnLike, valuesAreArns: true, negated: true, variables: 'pattern' },
  ArnNotLike: { matches: arnLike, valuesAreArns: true, negated: true, variables: 'pattern' },
  BinaryEquals: { matches: equal },
  Bool: { matches: equalIgnoringCase },
  IpAddress: { matches: isInRange },
  NotIpAddress: { matches: isInRange, negated: true },
  ...comparisons('Numeric', numeric),
  ...comparisons('Date', date),
};

function comparisons(
  type: string,
  of: (compare: Comparison) => Operator['matches'],
): Record<string, Operator> {
  return {
    [`${type}Equals`]: { matches: of((a, b) => a === b) },
    [`${type}NotEquals`]: { matches: of((a, b) => a === b), negated: true },
    [`${type}LessThan`]: { matches: of((a, b) => a < b) },
    [`${type}LessThanEquals`]: { matches: of((a, b) => a <= b) },
    [`${type}GreaterThan`]: { matches: of((a, b) => a > b) },
    [`${type}GreaterThanEquals`]: { matches: of((a, b) => a >= b) },
  };
}

const parsedOperators = new Map<string, ConditionOperator | undefined>();

/**
 * The operator of a condition, with its quantifier and `IfExists`; undefined if IAM has none of this name.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */
export function conditionOperator(text: string): ConditionOperator | undefined {
  if (!parsedOperators.has(text)) parsedOperators.set(text, parseOperator(text));
  return parsedOperators.get(text);
}

function parseOperator(text: string): ConditionOperator | undefined {
  const [, quantifier, name = '', ifExists] =
    /^(?:(ForAnyValue|ForAllValues):)?(.*?)(IfExists)?$/.exec(text) ?? [];
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  return (
    operator && {
      ...operator,
      quantifier: quantifier as ConditionOperator['quantifier'],
      ifExists: ifExists !== undefined,
    }
  );
}
