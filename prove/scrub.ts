/** What must not be in a result, with what takes its place. An ARN comes first, because it holds an account number. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\barn:[\w-]*:[^\s"'`,;()[\]{}]+/g, '[arn]'],
  [/[\w-]+\.execute-api\.[\w.-]+/g, '[host]'],
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  [/\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{12,}\b/g, '[key id]'],
  [/(?<!\d)\d{12}(?!\d)/g, '[account]'],
  [/(?<!\d)\d{4}-\d{4}-\d{4}(?!\d)/g, '[account]'],
  // Secret keys, session tokens and JSON web tokens. Some long names look like one, and nobody needs them.
  [/(?=[\w+/=.-]*[a-z])(?=[\w+/=.-]*[A-Z])(?=[\w+/=.-]*\d)[\w+/=.-]{40,}/g, '[long text]'],
];

/** A text without ARNs, account numbers, access keys, hosts of APIs and whatever may be a secret. */
export function scrubbed(text: string): string {
  return PATTERNS.reduce((left, [pattern, substitute]) => left.replaceAll(pattern, substitute), text);
}
