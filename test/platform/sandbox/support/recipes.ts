/** A block for the shell, and what it prints. */
export interface Recipe {
  readonly block: string;
  /** Of all that is printed; nothing where the page shows nothing. */
  readonly expected: RegExp;
}

const FENCED = /^```sh\n([\s\S]*?)^```$(?:\n\n^```text\n([\s\S]*?)^```$)?/gm;

/** The blocks for the shell from a heading to the end of a page, in their order, each with the output that follows it. */
export function readRecipes(page: string, fromHeading: string): Recipe[] {
  const part = page.slice(page.indexOf(`\n${fromHeading}\n`));
  return [...part.matchAll(FENCED)].map(([, block = '', output = '']) => ({
    block: block.trim(),
    expected: patternOf(output),
  }));
}

/** `…` stands for anything in its line. */
function patternOf(output: string): RegExp {
  const escaped = output.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '.*')}$`);
}
