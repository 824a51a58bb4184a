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

/** The threats of docs/threat-model.md, in its order. */
function readThreats() {
  const [, ...sections] = readFileSync('docs/threat-model.md', 'utf8').split(/^### (?=T\d+: )/m);
  return sections.map((section) => {
    const [, id = '', name = ''] = /^(T\d+): (.*)$/m.exec(section) ?? [];
    const paragraphOf = (title: string) =>
      section.split('\n\n').find((each) => each.startsWith(`**${title}`)) ?? '';
    const turnsRed = paragraphOf('Turns red');
    return {
      id,
      name,
      /** Test files that attempt the abuse. */
      proofs: filesIn(paragraphOf('Proof')),
      /** Test files in which the control is missing, and which pass only if a proof notices. */
      holes: filesIn(turnsRed),
      /** Names of planted faults that a proof notices. */
      planted: [...turnsRed.matchAll(/`([^`]+)`/g)].map(([, fault]) => fault!),
    };
  });
}

/** The files to which a paragraph links, as paths from the repository's root. */
function filesIn(paragraph: string): string[] {
  return [...paragraph.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file]) => file!);
}
