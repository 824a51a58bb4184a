import { distance } from 'fastest-levenshtein';

/** What one rule found: where in the file, the value there, and what is allowed there. */
export interface ConfigurationIssue {
  path: (string | number)[];
  found: unknown;
  allowed: string;
}

/** `deployments[0].region: found "x"; allowed: …` */
export function issueLine({ path, found, allowed }: ConfigurationIssue): string {
  return `${showPath(path)}: found ${show(found)}; allowed: ${allowed}`;
}

/** The same for a field that has no place: only its name is shown, since its value may be a secret. */
export function unknownFieldLine(
  path: (string | number)[],
  name: string,
  allowed: readonly string[],
): string {
  return `${showPath(path)}: found a field of this name; allowed: ${nearestFirst(name, allowed)}`;
}

function showPath(path: (string | number)[]): string {
  const text = path.reduce<string>((all, part) => {
    if (typeof part === 'number') return `${all}[${part}]`;
    return all === '' ? part : `${all}.${part}`;
  }, '');
  return text === '' ? '(whole file)' : text;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value !== null && typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** As many letters as may differ between a name and the one that is meant. */
const MOST_SLIPS = 2;

/**
 * The names that have a place, in the words of an error message: first the one that is meant, if the name found is near
 * it, whatever its case and punctuation.
 */
function nearestFirst(found: string, names: readonly string[]): string {
  const nearest = names
    .map((name) => ({ name, slips: distance(bare(found), bare(name)) }))
    .filter(({ name, slips }) => slips <= Math.min(MOST_SLIPS, name.length / 3))
    .sort((one, other) => one.slips - other.slips)[0]?.name;
  if (nearest === undefined) return names.join(', ');
  const others = names.filter((name) => name !== nearest);
  return [nearest, ...(others.length > 0 ? [`or else ${others.join(', ')}`] : [])].join(', ');
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
