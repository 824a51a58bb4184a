/** Private-use characters that stand for a literal `*` and `?` in a pattern. */
const LITERALS: Readonly<Record<string, string>> = { '*': '\uE000', '?': '\uE001' };

/** A text as a part of a pattern that matches only the text itself. */
export function asLiteral(text: string): string {
  return text.replace(/[*?]/g, (sign) => LITERALS[sign] ?? sign);
}

function matchesCharacter(sign: string | undefined, character: string | undefined): boolean {
  if (sign === undefined || character === undefined) return false;
  return sign === character || sign === LITERALS[character];
}

/**
 * Whether `text` matches `pattern`: `*` matches any characters and `?` exactly one. The time is proportional to the
 * product of the lengths for any pattern, unlike an equivalent regular expression.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resumeAt = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      resumeAt = t;
    } else if (p < pattern.length && (pattern[p] === '?' || matchesCharacter(pattern[p], text[t]))) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

const ARN_PARTS = 6;

/** The six parts of an ARN, of which the last may contain colons; undefined if it is not an ARN. */
function arnParts(arn: string): readonly string[] | undefined {
  const parts = arn.split(':');
  if (parts.length < ARN_PARTS) return undefined;
  return [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(':')];
}

/**
 * Whether an ARN matches the pattern of a Resource element. A `*` at the end of a part also matches beyond its colon; any
 * other wildcard stays within its part, of which the sixth is the last. IAM fills parts that are missing after the service
 * with `*`, as its messages about such patterns show.
 * @returns undefined if the pattern has neither six parts nor a partition and a service
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html (wildcards in resource ARNs)
 * @see https://github.com/getmoto/moto/blob/master/tests/test_iam/test_iam_policies.py (recorded messages)
 */
export function matchesResource(pattern: string, arn: string): boolean | undefined {
  const { parts, fixed, rest } = arnPattern(pattern);
  if (!parts) return undefined;
  // Most ARNs differ before the first wildcard.
  if (!arn.startsWith(fixed)) return false;
  // Nothing limits a wildcard in the last part.
  if (rest !== undefined) return matchesWildcards(rest, arn.slice(fixed.length));
  // The positions in the ARN that the pattern can have reached.
  let reached = new Set([fixed.length]);
  let partStart = 0;
  parts.forEach((part, n) => {
    const isLast = n === parts.length - 1;
    for (let at = Math.max(0, fixed.length - partStart); at < part.length; at++) {
      const sign = part[at]!;
      const mayCross = isLast || (sign === '*' && at === part.length - 1);
      reached = advance(reached, sign, arn, mayCross);
    }
    partStart += part.length + 1;
    if (!isLast && partStart > fixed.length) reached = advance(reached, ':', arn, true);
  });
  return reached.has(arn.length);
}

/** A pattern for ARNs, parsed. */
interface ArnPattern {
  /** Undefined if it has neither six parts nor a partition and a service. */
  readonly parts: readonly string[] | undefined;
  /** The text before the first wildcard. */
  readonly fixed: string;
  /** The text from there on, if it belongs to the last part. */
  readonly rest: string | undefined;
}

/** By their texts: the policies of an account name the same patterns in each request. */
const arnPatterns = new Map<string, ArnPattern>();
const MAX_CACHED_PATTERNS = 20_000;

function arnPattern(text: string): ArnPattern {
  const cached = arnPatterns.get(text);
  if (cached) return cached;
  const missing = /^arn:[^:*?]+:[^:*?]+(:|$)/.test(text) ? ARN_PARTS - text.split(':').length : 0;
  const parts = arnParts(text + ':*'.repeat(Math.max(0, missing)));
  const whole = parts?.join(':') ?? '';
  const fixed = whole.slice(0, whole.search(/[*?]|$/));
  const isInLast = fixed.split(':').length >= ARN_PARTS;
  const pattern = { parts, fixed, rest: isInLast ? whole.slice(fixed.length) : undefined };
  if (arnPatterns.size >= MAX_CACHED_PATTERNS) arnPatterns.clear();
  arnPatterns.set(text, pattern);
  return pattern;
}

/** The positions after one sign of a pattern. @param mayCross whether a wildcard also matches colons */
function advance(reached: ReadonlySet<number>, sign: string, arn: string, mayCross: boolean): Set<number> {
  const next = new Set<number>();
  for (const start of reached) {
    if (sign !== '*') {
      const character = arn[start];
      if (
        character !== undefined &&
        (matchesCharacter(sign, character) || (sign === '?' && (mayCross || character !== ':')))
      )
        next.add(start + 1);
      continue;
    }
    for (let at = start; !next.has(at); at++) {
      next.add(at);
      if (at === arn.length || (!mayCross && arn[at] === ':')) break;
    }
  }
  return next;
}

/**
 * Whether an ARN matches the pattern of a condition, part by part: no wildcard crosses a colon between parts.
 * @returns undefined if the pattern does not have six parts
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html (ARN)
 */
export function matchesArn(pattern: string, arn: string): boolean | undefined {
  const wanted = arnParts(pattern);
  if (!wanted) return undefined;
  const parts = arnParts(arn);
  return parts !== undefined && wanted.every((part, n) => matchesWildcards(part, parts[n] ?? ''));
}
