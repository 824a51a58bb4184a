/**
 * Whether `text` matches `pattern`, in which `*` stands for any run of characters and `?` for exactly one.
 * Runs in time proportional to the product of the lengths whatever the pattern, unlike a regular expression made from it.
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

/** The six parts of an ARN, the last of which may hold colons itself; undefined for anything else. */
function arnSegments(arn: string): readonly string[] | undefined {
  const parts = arn.split(':');
  if (parts.length < 6) return undefined;
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}

/**
 * Whether an ARN matches a pattern part by part: a wildcard never reaches over the border of a part.
 * @returns undefined when the pattern has no six parts, so that nothing can be said of it.
 * @see IAM user guide, reference_policies_elements_resource (wildcards in resource ARNs)
 */
export function matchesArn(pattern: string, arn: string): boolean | undefined {
  const wanted = arnSegments(pattern);
  if (!wanted) return undefined;
  const found = arnSegments(arn);
  return found !== undefined && wanted.every((segment, n) => matchesWildcards(segment, found[n] ?? ''));
}

/** Whether a policy text holds a policy variable such as `${aws:PrincipalTag/team}`. */
export function hasPolicyVariable(text: string): boolean {
  return text.includes('${');
}
