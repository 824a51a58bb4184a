import { isJsonObject } from '../json-object';
import { conditionOperator } from './condition-operators';
import { contextValues, isKnownContextKey, type RequestContext } from './context-keys';
import { expandVariables } from './policy-variables';
import { matchesArn } from './wildcard';

/** Whether a part of a policy holds for a request, or what in it is not understood. */
export type Verdict = { holds: boolean } | { notUnderstood: string };

/**
 * Evaluates all conditions of a statement. If one is not understood, the result is undecided, unless another one fails.
 * @see IAM user guide, reference_policies_elements_condition_operators and reference_policies_multi-value-conditions
 * @see https://repost.aws/questions/QU9HFmDzP0QGuU-fd7rS6B7w (`ForAnyValue:…IfExists`)
 */
export function evaluateConditions(
  condition: unknown,
  version: string | undefined,
  context: RequestContext,
): Verdict {
  if (condition === undefined) return { holds: true };
  if (!isJsonObject(condition)) return { notUnderstood: 'a Condition that is not an object' };
  const verdicts = Object.entries(condition).flatMap(([operator, keys]): Verdict[] => {
    if (!isJsonObject(keys)) return [{ notUnderstood: `condition ${operator}, which is not an object` }];
    return Object.entries(keys).map(([key, values]) =>
      evaluateCondition(operator, key, values, version, context),
    );
  });
  if (verdicts.some((verdict) => 'holds' in verdict && !verdict.holds)) return { holds: false };
  return verdicts.find((verdict) => 'notUnderstood' in verdict) ?? { holds: true };
}

function evaluateCondition(
  operatorName: string,
  key: string,
  given: unknown,
  version: string | undefined,
  context: RequestContext,
): Verdict {
  if (!isKnownContextKey(key)) return { notUnderstood: `condition key ${key}` };
  const givenValues = [given].flat().map(String);
  const requestValues = contextValues(context, key) ?? [];
  const isAbsent = requestValues.length === 0;
  if (operatorName === 'Null')
    return { holds: givenValues.some((value) => value.toLowerCase() === String(isAbsent)) };

  const operator = conditionOperator(operatorName);
  if (!operator) return { notUnderstood: `condition operator ${operatorName}` };
  const policyValues: string[] = [];
  for (const value of givenValues) {
    const expanded = expandVariables(value, operator.variables ?? 'none', version, context);
    if ('notUnderstood' in expanded) return expanded;
    if ('text' in expanded) policyValues.push(expanded.text);
  }
  if (operator.valuesAreArns && policyValues.some((value) => matchesArn(value, '') === undefined)) {
    return { notUnderstood: `a value of condition ${operatorName} ${key} that is not an ARN` };
  }
  const satisfied = (requestValue: string) =>
    policyValues.some((value) => operator.matches(value, requestValue)) !== (operator.negated ?? false);

  const { quantifier } = operator;
  if (isAbsent) {
    if (quantifier === 'ForAllValues') return { holds: true };
    // Without the key, `ForAnyValue` is false, also with `IfExists`.
    return { holds: quantifier === undefined && (operator.ifExists || operator.negated === true) };
  }
  if (quantifier === 'ForAllValues') return { holds: requestValues.every(satisfied) };
  if (quantifier === 'ForAnyValue') return { holds: requestValues.some(satisfied) };
  if (requestValues.length > 1)
    return { notUnderstood: `condition ${operatorName} on ${key}, which has several values` };
  return { holds: requestValues.every(satisfied) };
}
