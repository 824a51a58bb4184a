import { contextValues, isKnownContextKey, type RequestContext } from './context-keys';
import { asLiteral } from './wildcard';

/** A text with its variables replaced, unless one of them has no value or is not understood. */
type Expanded = { text: string } | { hasNoValue: true } | { notUnderstood: string };

/**
 * How the text is compared: in a pattern, what replaces a variable must not become a wildcard. A resource may have variables
 * behind its fifth colon, and some conditions none.
 */
type Use = 'text' | 'pattern' | 'resource' | 'none';

/**
 * Replaces the policy variables of a text. A text whose variable has no value matches nothing.
 * @param version of the policy: older ones have no variables
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
  const expanded = text.replace(/\$\{([^}]*)\}/g, (variable, inner: string) => {
    const value = valueOf(inner, context);
    if (typeof value === 'string') return use === 'text' ? value : asLiteral(value);
    problems.push(value ?? { notUnderstood: `the policy variable ${variable}` });
    return '';
  });
  return problems.find((problem) => 'notUnderstood' in problem) ?? problems[0] ?? { text: expanded };
}

/** The value of a variable; undefined if it is not understood. */
function valueOf(inner: string, context: RequestContext): string | { hasNoValue: true } | undefined {
  if (['*', '?', '$'].includes(inner)) return inner;
  const [, key = '', byDefault] = /^\s*([^\s,]+)\s*(?:,\s*'(.*)'\s*)?$/.exec(inner) ?? [];
  if (!isKnownContextKey(key)) return undefined;
  const values = contextValues(context, key) ?? [];
  if (values.length > 1) return undefined;
  return values[0] ?? byDefault ?? { hasNoValue: true };
}
