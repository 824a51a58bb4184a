import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import ts from 'typescript';

import { apiReport } from '../../../tools/docs/api-report';

let project: string;

beforeEach(() => (project = mkdtempSync(join(tmpdir(), 'latchkey-api-'))));
afterEach(() => rmSync(project, { recursive: true }));

/** Reports what `index.ts` exports. The other files lie beside it. */
function reportOf(index: string, others: Record<string, string> = {}) {
  for (const [file, text] of Object.entries({ ...others, 'index.ts': index })) {
    writeFileSync(join(project, file), text);
  }
  const program = ts.createProgram([join(project, 'index.ts')], {
    strict: true,
    declaration: true,
    stripInternal: true,
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: [],
  });
  return apiReport(program, program.getSourceFile(join(project, 'index.ts'))!);
}

it('reports each export by name, without comments and what is not for users', () => {
  const { text } = reportOf(`
    /** Words about it. */
    export function open(door: Door, { isSlow }: { isSlow?: boolean } = {}): number { return door.width; }
    export class Door {
      #hinges = 2;
      private color = 'red';
      /** @internal */
      readonly serial = 1;
      readonly width: number = 80;
      private constructor() { this.color += this.#hinges; }
      paint(): string { return this.color; }
    }
    export { Door as Gate };
    class Unused {}`);

  expect(text).toBe(`export declare class Door {
    readonly width: number;
    private constructor();
    paint(): string;
}

export { Door as Gate };

export declare function open(door: Door, { isSlow }?: {
    isSlow?: boolean;
}): number;
`);
});

it('changes when an exported type changes that another file computes', () => {
  const index = `export { type Color } from './colors';`;
  const colors = (names: string) =>
    `const NAMES = [${names}] as const; export type Color = (typeof NAMES)[number];`;

  const before = reportOf(index, { 'colors.ts': colors(`'red', 'green'`) });
  const after = reportOf(index, { 'colors.ts': colors(`'red', 'green', 'blue'`) });

  expect(before.text).toBe(`export type Color = "green" | "red";\n`);
  expect(after.text).toBe(`export type Color = "blue" | "green" | "red";\n`);
  expect(after.expanded).toEqual(new Map([['Color', '"blue" | "green" | "red"']]));
});

it.each([
  ['a parameter', `import { type Key } from './key'; export function use(key: Key) { return key.id; }`],
  ['a field', `import { type Key } from './key'; export interface use { keys: Key[] }`],
  ['a base', `import { type Key } from './key'; export interface use extends Key { more: 1 }`],
  ['an inferred result', `import { make } from './key'; export const use = () => make();`],
])('rejects an export that refers to an unexported type as %s', (_, index) => {
  const others = {
    'key.ts': `export interface Key { id: string } export const make = (): Key => ({ id: '' });`,
  };

  expect(() => reportOf(index, others)).toThrow(
    /^use refers to Key in .*key"?(\.ts)?, which is not exported$/,
  );
  expect(reportOf(`${index} export type { Key } from './key';`, others).text).toContain('interface Key');
});
