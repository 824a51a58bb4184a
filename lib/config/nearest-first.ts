/** As many letters as may differ between a name and the one that is meant. */
const MOST_SLIPS = 2;

/**
 * The names that have a place, in the words of an error message: first the one that is meant, if the name found is near
 * it, whatever its case and punctuation.
 */
export function nearestFirst(found: string, names: readonly string[]): string {
  const nearest = names
    .map((name) => ({ name, slips: slipsBetween(bare(found), bare(name)) }))
    .filter(({ name, slips }) => slips <= Math.min(MOST_SLIPS, name.length / 3))
    .sort((one, other) => one.slips - other.slips)[0]?.name;
  if (nearest === undefined) return names.join(', ');
  const others = names.filter((name) => name !== nearest);
  return [nearest, ...(others.length > 0 ? [`or else ${others.join(', ')}`] : [])].join(', ');
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Letters to insert, drop or replace (Levenshtein distance). What differs by more than that in length alone is not compared. */
function slipsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_SLIPS) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, otherLetter] of [...other].entries()) {
      next.push(Math.min(row[j]! + (letter === otherLetter ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
