import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_CHECKS } from '../../src/conformance/checks/all-checks';
import { extractClauses } from '../../src/conformance/clauses';
import { NOT_EXAMINED } from '../../src/conformance/not-examined';
import { specifiedClauses } from './conformance-page';

describe('clauses of a specification', () => {
  const MARKDOWN = [
    '# The interface',
    '',
    'It is *one* document.',
    '',
    '## Rules and bullets (provisional)',
    '',
    'Rules:',
    '1. The first.',
    '2. The second.',
    '',
    '- A bullet.',
    '',
    '### Fields',
    '',
    '| Name | Kind | Meaning |',
    '|---|---|---|',
    '| id | a | said `once` |',
    '| id | b | said twice |',
    '| other | b | said otherwise |',
  ].join('\n');

  it('are its bullets, rules, rows and paragraphs, in order', () => {
    const clauses = extractClauses(MARKDOWN);

    expect(clauses.map(({ id, text }) => [id, text])).toEqual([
      ['the-interface/paragraph-1', 'It is *one* document.'],
      ['rules-and-bullets/rule-1', 'The first.'],
      ['rules-and-bullets/rule-2', 'The second.'],
      ['rules-and-bullets/bullet-1', 'A bullet.'],
      ['fields/row-id-a', 'Name: id; Kind: a; Meaning: said `once`'],
      ['fields/row-id-b', 'Name: id; Kind: b; Meaning: said twice'],
      ['fields/row-other', 'Name: other; Kind: b; Meaning: said otherwise'],
    ]);
  });

  it('have the headings above them', () => {
    const [, , , , row] = extractClauses(MARKDOWN);

    expect(row!.section).toEqual(['The interface', 'Rules and bullets (provisional)', 'Fields']);
  });

  it('must have unique ids', () => {
    expect(() => extractClauses('# One\n\n- a\n\n# One\n\n- b\n')).toThrow(
      'two clauses have the id one/bullet-1',
    );
  });
});

describe('every clause of the specification', () => {
  const ids = specifiedClauses().map(({ id }) => id);
  const shown = new Set(ALL_CHECKS.flatMap(({ clauses }) => clauses));
  const left = NOT_EXAMINED.map(({ clause }) => clause);

  it('is covered by a check, or listed with the reason why not', () => {
    expect(ids).toHaveLength(117);
    expect([...shown, ...left].toSorted()).toEqual(ids.toSorted());
  });

  it('is listed as a gap if and only if it says that something is not shown', () => {
    const gaps = specifiedClauses().filter(({ text }) => /: not shown\.$/.test(text));

    expect(NOT_EXAMINED.filter(({ kind }) => kind === 'gap').map(({ clause }) => clause)).toEqual(
      gaps.map(({ id }) => id),
    );
  });
});

it('names existing tests for the clauses that only the sandbox can show', () => {
  const tests = NOT_EXAMINED.flatMap((entry) => (entry.kind === 'sandbox' ? entry.tests : []));

  expect(tests.filter((file) => !existsSync(join(__dirname, '../sandbox', file)))).toEqual([]);
});

it('gives each check a unique name', () => {
  const names = ALL_CHECKS.map(({ name }) => name);

  expect(new Set(names).size).toBe(names.length);
});
