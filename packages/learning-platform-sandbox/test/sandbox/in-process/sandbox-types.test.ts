import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { type z } from 'zod';
import { type Fault, type ReceivedRequest, type SandboxOptions } from '../../../src';
import { type Fault as ServedFault } from '../../../src/sandbox/fault';
import { type optionsSchema } from '../../../src/sandbox/in-process/options';
import { type RecentRequest } from '../../../src/sandbox/recent-requests';

const ENTRY = join(__dirname, '../../../src/index.ts');

/** With arrays that may be read only, as in the public types. */
type Loose<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Field in keyof T]: Loose<T[Field]> }
    : T;
/** `true` if each accepts all values of the other, and has the same fields. */
type Same<A, B> = [Loose<A>, Loose<B>, keyof A] extends [Loose<B>, Loose<A>, keyof B]
  ? [keyof B] extends [keyof A]
    ? true
    : false
  : false;

test('the public types are those that the sandbox validates and records', () => {
  // Compared by the compiler.
  const same: [
    Same<SandboxOptions, z.input<typeof optionsSchema>>,
    Same<NonNullable<SandboxOptions['deployments']>[number], Deployment>,
    Same<Tenant, NonNullable<Deployment>['tenants'][number]>,
    Same<Fault, ServedFault>,
    Same<NonNullable<Fault['match']>, NonNullable<ServedFault['match']>>,
    Same<ReceivedRequest, RecentRequest>,
  ] = [true, true, true, true, true, true];

  expect(same).not.toContain(false);
});
type Deployment = NonNullable<z.input<typeof optionsSchema>['deployments']>[number];
type Tenant = NonNullable<SandboxOptions['deployments']>[number]['tenants'][number];

/** What the declarations of a file import, by those of our own files in turn. */
function importsOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { strict: true, target: ts.ScriptTarget.ES2023 },
  });
  // As texts: a diagnostic refers to the whole syntax tree.
  expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
  const { importedFiles } = ts.preProcessFile(outputText);
  return importedFiles.flatMap(({ fileName }) => {
    const own = join(dirname(file), `${fileName}.ts`);
    return existsSync(own) ? importsOf(own, seen) : [fileName];
  });
}

test('the public types need no package', () => {
  expect(importsOf(ENTRY)).toEqual([]);
});
