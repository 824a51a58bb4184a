import { contextValues, isKnownContextKey, type RequestContext } from './context-keys';
import { asLiteral } from './wildcard';

/** The text with its variables replaced, or why that is impossible: a variable has no value, or is not understood. */
type Expanded = { text: string } | { hasNoValue: true } | { notUnderstood: string };

/** Where the text stands, which decides whether it may have variables and what may replace them. */
type Use =
  /** A condition value that is compared literally. */
  | 'text'
  /** A condition value with wildcards: a variable's value is escaped, so that it cannot become a wildcard. */
  | 'pattern'
  /** A Resource element: as `pattern`, with variables only after its fifth colon. */
  | 'resource'
  /** A value of a condition operator that allows no variables. */
  | 'none';

/**
 * Replaces the policy variables of a text. A text whose variable has no value matches nothing.
 * @param version the policy's `Version`; only 2012-10-17 has variables
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
 */
export function expandVariables(
  text: string,
  use: Use,
  version: string | undefined,
  context: RequestContext,
): Expanded {
  if (version !== '2012-10-17' || !text.includes('${')) return { text };
  if (use === 'none' || (use === 'resource' && !/^(?:[^:$]*:){5}/.test(text)))
    return { notUnderstood: `a policy variable in ${text}` };
  const problems: Expanded[] = [];
  const expanded = text.replace(/\$\{([^}]*)\}/g, (variable, expression: string) => {
    const value = valueOf(expression, context);
    if (typeof value === 'string') return use === 'text' ? value : asLiteral(value);
    problems.push(value ?? { notUnderstood: `the policy variable ${variable}` });
    return '';
  });
  return problems.find((problem) => 'notUnderstood' in problem) ?? problems[0] ?? { text: expanded };
}

/** The value of a variable; undefined if it is not understood. */
function valueOf(expression: string, context: RequestContext): string | { hasNoValue: true } | undefined {
  if (['*', '?', '$'].includes(expression)) return expression;
  const [, key = '', defaultValue] = /^\s*([^\s,]+)\s*(?:,\s*'(.*)'\s*)?$/.exec(expression) ?? [];
  if (!isKnownContextKey(key)) return undefined;
  const values = contextValues(context, key) ?? [];
  if (values.length > 1) return undefined;
  return values[0] ?? defaultValue ?? { hasNoValue: true };
}
