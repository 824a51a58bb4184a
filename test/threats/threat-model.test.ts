import { existsSync, readFileSync } from 'node:fs';

/** Jest runs CommonJS, so the list of planted faults is read as text. */
const PLANTED = readFileSync('test/mutation/planted-faults.mjs', 'utf8');

describe('the threat model', () => {
  const threats = readThreats();

  test('has T1 to T32, each once and in order', () => {
    expect(threats.map(({ id }) => id)).toEqual(Array.from({ length: 32 }, (_, index) => `T${index + 1}`));
  });

  test.each(threats)('names tests of $id, $name, and what turns one red', ({ proofs, holes, planted }) => {
    expect(proofs.length).toBeGreaterThan(0);
    expect([...holes, ...planted].length).toBeGreaterThan(0);
    expect([...proofs, ...holes].filter((file) => !existsSync(file))).toEqual([]);
    expect(planted.filter((fault) => !PLANTED.includes(`name: '${fault}'`))).toEqual([]);
  });
});

/** A section of docs/threat-model.md. */
interface Threat {
  /** Such as `T7`. */
  readonly id: string;
  readonly name: string;
  /** Test files that attempt the abuse, as paths from the repository's root. */
  readonly proofs: readonly string[];
  /** Test files in which the control is missing, and which pass only if a proof notices. */
  readonly holes: readonly string[];
  /** Names of planted faults that a proof notices. */
  readonly planted: readonly string[];
}

/** The threats of docs/threat-model.md, in its order. */
function readThreats(): Threat[] {
  const [, ...sections] = readFileSync('docs/threat-model.md', 'utf8').split(/^### (?=T\d+: )/m);
  return sections.map((section) => {
    const [, id = '', name = ''] = /^(T\d+): (.*)$/m.exec(section) ?? [];
    return {
      id,
      name,
      proofs: filesIn('Proof', section),
      holes: filesIn('Turns red', section),
      planted: [...paragraphOf('Turns red', section).matchAll(/`([^`]+)`/g)].map(([, fault]) => fault!),
    };
  });
}

/** The files to which a section's paragraph links. */
function filesIn(paragraph: string, section: string): string[] {
  return [...paragraphOf(paragraph, section).matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file]) => file!);
}

function paragraphOf(paragraph: string, section: string): string {
  return section.split('\n\n').find((each) => each.startsWith(`**${paragraph}`)) ?? '';
}
