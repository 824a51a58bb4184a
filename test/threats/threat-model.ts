import { readFileSync } from 'node:fs';

/** A section of docs/threat-model.md. */
export interface Threat {
  /** Such as `T7`. */
  readonly id: string;
  readonly name: string;
  /** Test files that attempt the abuse, as paths from the repository's root. */
  readonly proofs: readonly string[];
  /** Those of them with a test that fails unless the proof notices a missing control. */
  readonly holes: readonly string[];
}

/** The threats of docs/threat-model.md, in its order. */
export function readThreats(): Threat[] {
  const [, ...sections] = readFileSync('docs/threat-model.md', 'utf8').split(/^### (?=T\d+: )/m);
  return sections.map((section) => {
    const [, id = '', name = ''] = /^(T\d+): (.*)$/m.exec(section) ?? [];
    return { id, name, proofs: filesIn('Proof', section), holes: filesIn('Turns red', section) };
  });
}

/** The files to which a section's paragraph links. */
function filesIn(paragraph: string, section: string): string[] {
  const [text = ''] = section.split('\n\n').filter((each) => each.startsWith(`**${paragraph}`));
  return [...text.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file]) => file!);
}
