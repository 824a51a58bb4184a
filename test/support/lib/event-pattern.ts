type Json = Record<string, unknown>;

/**
 * Whether an event matches a pattern, with the operators that the rules use.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function matchesPattern(pattern: Json, event: unknown): boolean {
  return Object.entries(pattern).every(([key, wanted]) => {
    if (key === '$or') return (wanted as Json[]).some((one) => matchesPattern(one, event));
    const found = (event as Json | undefined)?.[key];
    if (Array.isArray(wanted)) return wanted.some((one) => matchesValue(one, found));
    return matchesPattern(wanted as Json, found);
  });
}

function matchesValue(wanted: unknown, found: unknown): boolean {
  if (typeof wanted === 'string') return found === wanted;
  const [[operator, operand]] = Object.entries(wanted as Json) as [[string, unknown]];
  if (operator === 'exists') return (found !== undefined) === operand;
  // All others need a value.
  if (typeof found !== 'string') return false;
  switch (operator) {
    case 'prefix':
      return found.startsWith(operand as string);
    case 'wildcard':
      return [operand].flat().some((text) => likeWildcard(text as string).test(found));
    case 'anything-but':
      return !matchesValue(operand, found);
    default:
      throw new Error(`unknown operator ${operator}`);
  }
}

function likeWildcard(text: string): RegExp {
  return new RegExp(`^${text.split('*').map(escape).join('.*')}$`);
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
