import { join, relative } from 'node:path';

import ts from 'typescript';

const ROOT = join(__dirname, '../..');

/**
 * The declarations of modules, and of all that they refer to, by path from the project's root. They are free of zod, which
 * users of the package do not have. Types are not checked: `npm run build` does that.
 * @param modules paths from the project's root, without extension
 * @param packages whose types the declarations may use
 * @throws {Error} if a declaration cannot be written, or uses another package
 */
export function publicTypes(modules: readonly string[], packages: readonly string[]): Map<string, string> {
  const declarations = declarationsOf(modules);
  const needed = new Map<string, string>();
  const add = (path: string): void => {
    const file = [`${path}.d.ts`, `${path}/index.d.ts`].find((each) => declarations.has(each))!;
    if (needed.has(file)) return;
    const text = declarations.get(file)!;
    needed.set(file, text);
    for (const { fileName: imported } of ts.preProcessFile(text).importedFiles) {
      if (imported.startsWith('.')) add(join(file, '..', imported).replaceAll('\\', '/'));
      else if (!packages.some((name) => imported === name || imported.startsWith(`${name}/`)))
        throw new Error(`${file}: found types of ${imported}; allowed: ${packages.join(', ')}`);
    }
  };
  modules.forEach(add);
  return needed;
}

/** Every declaration of a program, by path from the project's root. */
function declarationsOf(modules: readonly string[]): Map<string, string> {
  const { options } = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, 'tsconfig.json'),
    {
      noEmit: false,
      noCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      types: ['node'],
      rootDir: ROOT,
      outDir: ROOT,
      // Without the namespaces of all services, which take a third of the time.
      paths: { 'aws-cdk-lib': [join(ROOT, 'node_modules/aws-cdk-lib/core')] },
    },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  )!;
  const host = ts.createCompilerHost(options);
  // Like tsc, which keeps comments as text: parsing those of aws-cdk-lib takes longer than its types.
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  const program = ts.createProgram(
    modules.map((each) => join(ROOT, `${each}.ts`)),
    options,
    host,
  );
  const declarations = new Map<string, string>();
  const { diagnostics } = program.emit(
    undefined,
    (file, text) => declarations.set(relative(ROOT, file).replaceAll('\\', '/'), text),
    undefined,
    true,
    { afterDeclarations: [withoutZod(program.getTypeChecker())] },
  );
  if (diagnostics.length > 0) {
    const format = { ...ts.sys, getCanonicalFileName: (name: string) => name, getNewLine: () => '\n' };
    throw new Error(ts.formatDiagnostics(diagnostics, format));
  }
  return declarations;
}

/** Writes out the types that are derived from zod's or computed, and leaves out whatever else uses zod. */
function withoutZod(checker: ts.TypeChecker): ts.TransformerFactory<ts.SourceFile | ts.Bundle> {
  return () => (file) => {
    if (!ts.isSourceFile(file)) return file;
    const names = file.statements.flatMap(namesFromZod);
    const usesZod = (node: ts.Node): boolean =>
      (ts.isIdentifier(node) && names.includes(node.text)) || ts.forEachChild(node, usesZod) === true;
    const statements = file.statements.flatMap((statement) => {
      const isAlias = ts.isTypeAliasDeclaration(statement) && statement.typeParameters === undefined;
      if (isAlias && (usesZod(statement) || isComputed(statement))) return [writtenOut(statement, checker)];
      return usesZod(statement) ? [] : [statement];
    });
    return ts.factory.updateSourceFile(file, statements);
  };
}

function isComputed(node: ts.Node): boolean {
  return ts.isTypeQueryNode(node) || ts.isMappedTypeNode(node) || ts.forEachChild(node, isComputed) === true;
}

function writtenOut(alias: ts.TypeAliasDeclaration, checker: ts.TypeChecker): ts.TypeAliasDeclaration {
  const type = checker.typeToTypeNode(
    checker.getTypeAtLocation(ts.getOriginalNode(alias)),
    undefined,
    ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias,
  );
  return ts.factory.updateTypeAliasDeclaration(
    alias,
    alias.modifiers,
    alias.name,
    alias.typeParameters,
    type!,
  );
}

function namesFromZod(statement: ts.Statement): string[] {
  if (!ts.isImportDeclaration(statement)) return [];
  const bindings = statement.importClause?.namedBindings;
  const isZod = ts.isStringLiteral(statement.moduleSpecifier) && statement.moduleSpecifier.text === 'zod';
  return isZod && bindings && ts.isNamedImports(bindings)
    ? bindings.elements.map(({ name }) => name.text)
    : [];
}
