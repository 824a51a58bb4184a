const CONTEXT = 3;

interface Line {
  /** Kept, removed or added. */
  readonly sign: ' ' | '-' | '+';
  /** With its end. */
  readonly text: string;
}

/**
 * The lines of a unified diff of two texts; none if they are equal.
 * @see https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html
 */
export function unifiedDiff(name: string, before: string, after: string): string[] {
  const lines = changes(linesOf(before), linesOf(after));
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const hunks: [start: number, end: number][] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    const end = Math.min(lines.length, index + 1 + CONTEXT);
    if (last !== undefined && index - CONTEXT <= last[1]) last[1] = end;
    else hunks.push([Math.max(0, index - CONTEXT), end]);
  }
  if (hunks.length === 0) return [];
  const rangeOf = (other: Line['sign'], start: number, end: number) => {
    const count = (part: Line[]) => part.filter(({ sign }) => sign !== other).length;
    const length = count(lines.slice(start, end));
    // The line before an empty range counts.
    return `${count(lines.slice(0, start)) + Math.min(length, 1)},${length}`;
  };
  return [
    `--- ${name}`,
    `+++ ${name}`,
    ...hunks.flatMap(([start, end]) => [
      `@@ -${rangeOf('+', start, end)} +${rangeOf('-', start, end)} @@`,
      ...lines.slice(start, end).flatMap(shown),
    ]),
  ];
}

/** The lines with their ends, which the last one may lack. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function shown({ sign, text }: Line): string[] {
  return text.endsWith('\n')
    ? [`${sign}${text.slice(0, -1)}`]
    : [`${sign}${text}`, '\\ No newline at end of file'];
}

/** All lines of both texts, the common ones of a longest common subsequence once. */
function changes(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const kept = (text: string): Line => ({ sign: ' ', text });
  const middle = changesOf(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const end = before.slice(before.length - tail);
  return [...before.slice(0, head).map(kept), ...middle, ...end.map(kept)];
}

function changesOf(before: readonly string[], after: readonly string[]): Line[] {
  // lengths[i][j]: of the longest common subsequence of the lines from i and from j on.
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i]![j] =
        before[i] === after[j]
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const isRemoved = j === after.length || (i < before.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!);
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ sign: ' ', text: before[i]! });
      i += 1;
      j += 1;
    } else if (isRemoved) {
      lines.push({ sign: '-', text: before[i]! });
      i += 1;
    } else {
      lines.push({ sign: '+', text: after[j]! });
      j += 1;
    }
  }
  return lines;
}
