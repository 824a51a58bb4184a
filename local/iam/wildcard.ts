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
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
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

/** The six parts of an ARN, of which the last may contain colons; undefined if it is not an ARN. */
function arnSegments(arn: string): readonly string[] | undefined {
  const parts = arn.split(':');
  if (parts.length < 6) return undefined;
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}

/**
 * Whether an ARN matches a pattern, part by part: wildcards do not cross colons between parts.
 * @returns undefined if the pattern does not have six parts
 * @see IAM user guide, reference_policies_elements_resource (wildcards in resource ARNs)
 */
export function matchesArn(pattern: string, arn: string): boolean | undefined {
  const wanted = arnSegments(pattern);
  if (!wanted) return undefined;
  const found = arnSegments(arn);
  return found !== undefined && wanted.every((segment, n) => matchesWildcards(segment, found[n] ?? ''));
}

/** Whether a policy text contains a policy variable, such as `${aws:PrincipalTag/team}`. */
export function hasPolicyVariable(text: string): boolean {
  return text.includes('${');
}
