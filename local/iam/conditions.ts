import { isJsonObject } from '../../contract/json-object';
import { contextValues, isKnownContextKey, type RequestContext } from './context-keys';
import { hasPolicyVariable, matchesArn, matchesWildcards } from './wildcard';

/** Whether a part of a policy holds for a request, or what in it is not understood. */
export type Verdict = { holds: boolean } | { notUnderstood: string };

interface Operator {
  matches: (policyValue: string, requestValue: string) => boolean;
  /** The operator holds if none of its values matches, or the key is absent. */
  negated?: true;
  valuesAreArns?: true;
}

const equal = (policyValue: string, requestValue: string) => policyValue === requestValue;
const arnLike = (policyValue: string, requestValue: string) => matchesArn(policyValue, requestValue) === true;
const numeric =
  (compare: (requested: number, limit: number) => boolean) => (limit: string, requested: string) =>
    requested.trim() !== '' && limit.trim() !== '' && compare(Number(requested), Number(limit));

const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: { matches: equal },
  StringNotEquals: { matches: equal, negated: true },
  StringLike: { matches: matchesWildcards },
  StringNotLike: { matches: matchesWildcards, negated: true },
  ArnEquals: { matches: arnLike, valuesAreArns: true },
  ArnLike: { matches: arnLike, valuesAreArns: true },
  ArnNotEquals: { matches: arnLike, valuesAreArns: true, negated: true },
  ArnNotLike: { matches: arnLike, valuesAreArns: true, negated: true },
  Bool: { matches: (wanted, found) => wanted.toLowerCase() === found.toLowerCase() },
  NumericEquals: { matches: numeric((a, b) => a === b) },
  NumericNotEquals: { matches: numeric((a, b) => a === b), negated: true },
  NumericLessThan: { matches: numeric((a, b) => a < b) },
  NumericLessThanEquals: { matches: numeric((a, b) => a <= b) },
  NumericGreaterThan: { matches: numeric((a, b) => a > b) },
  NumericGreaterThanEquals: { matches: numeric((a, b) => a >= b) },
};

/**
 * Evaluates all conditions of a statement. If one is not understood, the result is undecided, unless another one fails.
 * @see IAM user guide, reference_policies_elements_condition_operators and reference_policies_multi-value-conditions
 * @see https://repost.aws/questions/QU9HFmDzP0QGuU-fd7rS6B7w (`ForAnyValue:…IfExists`)
 */
export function evaluateConditions(condition: unknown, context: RequestContext): Verdict {
  if (condition === undefined) return { holds: true };
  if (!isJsonObject(condition)) return { notUnderstood: 'a Condition that is not an object' };
  const verdicts = Object.entries(condition).flatMap(([operator, keys]): Verdict[] => {
    if (!isJsonObject(keys)) return [{ notUnderstood: `condition ${operator}, which is not an object` }];
    return Object.entries(keys).map(([key, values]) => evaluateCondition(operator, key, values, context));
  });
  if (verdicts.some((verdict) => 'holds' in verdict && !verdict.holds)) return { holds: false };
  return verdicts.find((verdict) => 'notUnderstood' in verdict) ?? { holds: true };
}

function evaluateCondition(
  operatorName: string,
  key: string,
  given: unknown,
  context: RequestContext,
): Verdict {
  if (!isKnownContextKey(key)) return { notUnderstood: `condition key ${key}` };
  const policyValues = (Array.isArray(given) ? given : [given]).map(String);
  if (policyValues.some(hasPolicyVariable))
    return { notUnderstood: `a policy variable in condition ${operatorName} ${key}` };
  const requestValues = contextValues(context, key);
  if (operatorName === 'Null') {
    return {
      holds: policyValues.some((value) => value.toLowerCase() === String(requestValues === undefined)),
    };
  }

  const { quantifier, name, ifExists } = parseOperator(operatorName);
  const operator = OPERATORS[name];
  if (!operator) return { notUnderstood: `condition operator ${operatorName}` };
  if (operator.valuesAreArns && policyValues.some((value) => matchesArn(value, '') === undefined)) {
    return { notUnderstood: `a value of condition ${operatorName} ${key} that is not an ARN` };
  }
  const satisfied = (requestValue: string) =>
    policyValues.some((value) => operator.matches(value, requestValue)) !== (operator.negated ?? false);

  if (requestValues === undefined || requestValues.length === 0) {
    if (quantifier === 'ForAllValues') return { holds: true };
    // Without the key, `ForAnyValue` is false, also with `IfExists`.
    return { holds: quantifier === undefined && (ifExists || operator.negated === true) };
  }
  if (quantifier === 'ForAllValues') return { holds: requestValues.every(satisfied) };
  if (quantifier === 'ForAnyValue') return { holds: requestValues.some(satisfied) };
  if (requestValues.length > 1)
    return { notUnderstood: `condition ${operatorName} on ${key}, which has several values` };
  return { holds: requestValues.every(satisfied) };
}

function parseOperator(text: string): { quantifier?: string; name: string; ifExists: boolean } {
  const [, quantifier, name = text, ifExists] =
    /^(?:(ForAnyValue|ForAllValues):)?(.*?)(IfExists)?$/.exec(text) ?? [];
  return { quantifier, name, ifExists: ifExists !== undefined };
}
