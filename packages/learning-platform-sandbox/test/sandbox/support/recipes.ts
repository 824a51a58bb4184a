/** A shell block and its expected output. */
export interface Recipe {
  readonly block: string;
  /** Matches the whole output; nothing if the page shows none. */
  readonly expected: RegExp;
}

const FENCED = /^```sh\n([\s\S]*?)^```$(?:\n\n^```text\n([\s\S]*?)^```$)?/gm;

/** The shell blocks of a page, in order, each with the output that follows it. */
export function readRecipes(page: string): Recipe[] {
  return [...page.matchAll(FENCED)].map(([, block = '', output = '']) => ({
    block: block.trim(),
    expected: patternOf(output),
  }));
}

/** `…` matches the rest of a line. */
function patternOf(output: string): RegExp {
  const escaped = output.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '.*')}$`);
}
