/** What a request says, by the names of placeholders. */
export type PlaceholderValues = Map<string, string>;

const PLACEHOLDER = /\{(\w+)\}/;

/** The names of a template's placeholders, such as `tenantId` of `/{tenantId}/token`. */
export function placeholdersOf(template: string): string[] {
  return template.split(PLACEHOLDER).filter((_, n) => n % 2 === 1);
}

/**
 * Reads the values of a template's placeholders from a text into `values`.
 * @returns whether the text fits the template, and no placeholder has two values
 */
export function readPlaceholders(template: string, text: string, values: PlaceholderValues): boolean {
  const pattern = template
    .split(PLACEHOLDER)
    .map((part, n) => (n % 2 === 1 ? '(.+?)' : part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
    .join('');
  const match = new RegExp(`^${pattern}$`, 's').exec(text);
  if (!match) return false;
  return placeholdersOf(template).every((name, n) => {
    const value = match[n + 1]!;
    const isSame = (values.get(name) ?? value) === value;
    values.set(name, value);
    return isSame;
  });
}
