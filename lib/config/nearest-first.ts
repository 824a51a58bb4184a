import { distance } from 'fastest-levenshtein';

/** As many letters as may differ between a name and the one that is meant. */
const MOST_SLIPS = 2;

/**
 * The names that have a place, in the words of an error message: first the one that is meant, if the name found is near
 * it, whatever its case and punctuation.
 */
export function nearestFirst(found: string, names: readonly string[]): string {
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
