import { distance } from 'fastest-levenshtein';

import { harmless } from '../../core/commands/harmless-text';

/** Text that messages show instead of a value. */
export class InsteadOfValue {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
/** The value of an unknown field may be a secret: only its name is shown. */
const FIELD_OF_THIS_NAME = new InsteadOfValue('a field of this name');

/** A violated rule: the path in the file, the value there, and what is allowed. */
export interface ConfigurationIssue {
  path: (string | number)[];
  /** Any value, or an {@link InsteadOfValue}. */
  found: unknown;
  allowed: string;
}

/** An unknown field. @param names of the fields that the object has */
export function unknownField(
  path: (string | number)[],
  name: string,
  names: readonly string[],
): ConfigurationIssue {
  return { path: [...path, name], found: FIELD_OF_THIS_NAME, allowed: nearestFirst(name, names) };
}

/** `deployments[0].region: found "x"; allowed: …` */
export function issueLine({ path, found, allowed }: ConfigurationIssue): string {
  return harmless(`${showPath(path)}: found ${show(found)}; allowed: ${allowed}`);
}

/** `deployments[0].region` */
function showPath(path: (string | number)[]): string {
  const text = path.reduce<string>((all, part) => {
    if (typeof part === 'number') return `${all}[${part}]`;
    const name = shortened(part);
    return all === '' ? name : `${all}.${name}`;
  }, '');
  return text === '' ? '(whole file)' : text;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value instanceof InsteadOfValue) return value.text;
  if (typeof value === 'string') return shortened(JSON.stringify(value));
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** Maximum edit distance at which a name is suggested. */
const MAX_TYPOS = 2;

/** The allowed names. A name that is probably a typo's correction comes first. Ignores case and punctuation. */
function nearestFirst(found: string, names: readonly string[]): string {
  const nearest = names
    .map((name) => ({ name, typos: distance(bare(found), bare(name)) }))
    .filter(({ name, typos }) => typos <= Math.min(MAX_TYPOS, name.length / 3))
    .sort((one, other) => one.typos - other.typos)[0]?.name;
  if (nearest === undefined) return names.join(', ');
  const others = names.filter((name) => name !== nearest);
  return [nearest, ...(others.length > 0 ? [`or else ${others.join(', ')}`] : [])].join(', ');
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
