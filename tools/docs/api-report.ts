import ts from 'typescript';

const PRINTER = ts.createPrinter({ removeComments: true });
const EXPANDED = ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.NoTruncation;
const NAMEABLE = ts.SymbolFlags.Type | ts.SymbolFlags.Value | ts.SymbolFlags.Alias | ts.SymbolFlags.Namespace;

/** What a module exports. */
export interface ApiReport {
  /** Each exported declaration by name, as the compiler declares it, without comments and private members. */
  readonly text: string;
  /** The types in full of aliases that are computed from something unexported, by name. */
  readonly expanded: ReadonlyMap<string, string>;
}

/**
 * Reports what a module exports.
 * @param program with the options `declaration` and, to leave out what is internal, `stripInternal`
 * @throws {Error} if an exported declaration refers to one of the same project that is not exported
 */
export function apiReport(program: ts.Program, module: ts.SourceFile): ApiReport {
  return new Reporter(program, module).report();
}

/** Whether `npm run docs` writes a file. */
function isGenerated({ text }: ts.SourceFile): boolean {
  return text.startsWith('// Generated ');
}

/** Pages that list what a type is computed from, and what the API page shows in its place. */
const LISTED = [
  { source: /Schema(Of)?\b/, page: 'docs/configuration.md', type: 'object' },
  { source: /^DEPLOYMENT_ALARM_ROWS\b/, page: 'docs/alarms.md', type: 'string' },
];

function listed(name: string, page = 'docs/configuration.md'): string {
  return `// ${name}: ${page} lists it`;
}

class Reporter {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  /** By exported name, sorted. */
  readonly #exports: ReadonlyMap<string, ts.Symbol>;
  readonly #exported: ReadonlySet<ts.Symbol>;
  readonly #declarations = new Map<ts.SourceFile, ts.SourceFile>();
  readonly #scopes = new Map<ts.SourceFile, ReadonlyMap<string, ts.Symbol>>();
  readonly #expanded = new Map<string, string>();
  readonly #forgotten: string[] = [];

  constructor(program: ts.Program, module: ts.SourceFile) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
    const symbols = this.#checker.getExportsOfModule(this.#checker.getSymbolAtLocation(module)!);
    const named = symbols.map((symbol) => [symbol.name, this.#originOf(symbol)] as const);
    this.#exports = new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#exported = new Set(this.#exports.values());
  }

  report(): ApiReport {
    const texts = [...this.#exports].map(([name, symbol]) => this.#textOf(name, symbol));
    if (this.#forgotten.length > 0) throw new Error(this.#forgotten.join('\n'));
    return { text: `${texts.join('\n\n')}\n`, expanded: this.#expanded };
  }

  #textOf(name: string, symbol: ts.Symbol): string {
    if (name !== symbol.name) return `export { ${symbol.name} as ${name} };`;
    const sources = new Set(symbol.declarations!.map((each) => each.getSourceFile()));
    // Its own changes show as differences.
    if ([...sources].some(isGenerated)) return listed(name);
    const texts = [...sources].flatMap((source) =>
      this.#declarationsIn(source)
        .statements.filter((statement) => namesOf(statement).includes(name))
        .map((statement) => this.#textOfStatement(name, symbol, withoutPrivateMembers(statement), source)),
    );
    return texts.join('\n');
  }

  #textOfStatement(name: string, symbol: ts.Symbol, statement: ts.Statement, source: ts.SourceFile): string {
    const unexported = this.#unexported(statement, source);
    const list = LISTED.find(({ source: from }) => unexported.some((each) => from.test(each)));
    if (list !== undefined) {
      this.#expanded.set(name, list.type);
      return listed(name, list.page);
    }
    if (unexported.length > 0 && ts.isTypeAliasDeclaration(statement) && !statement.typeParameters) {
      const type = this.#expand(symbol);
      const text = `export type ${name} = ${type};`;
      if (this.#unexported(parse(text), source).length === 0) {
        this.#expanded.set(name, type);
        return text;
      }
    }
    this.#forgotten.push(...unexported.map((each) => `${name} refers to ${each}, which is not exported`));
    return PRINTER.printNode(ts.EmitHint.Unspecified, statement, this.#declarationsIn(source));
  }

  /** A type in full. The compiler's order of a union depends on other code, so it is sorted. */
  #expand(alias: ts.Symbol): string {
    const type = this.#checker.getDeclaredTypeOfSymbol(alias);
    const members = type.isUnion() ? type.types : [type];
    const texts = members.map((each) => this.#checker.typeToString(each, undefined, EXPANDED));
    return texts.sort().join(' | ');
  }

  /** A source as its consumers' compiler reads it. */
  #declarationsIn(source: ts.SourceFile): ts.SourceFile {
    let declarations = this.#declarations.get(source);
    if (declarations === undefined) {
      this.#program.emit(source, (_, text) => (declarations = parse(text)), undefined, true);
      this.#declarations.set(source, declarations!);
    }
    return declarations!;
  }

  /** What a declaration refers to in the same project without being exported: `NAME in FILE`. */
  #unexported(declaration: ts.Node, source: ts.SourceFile): string[] {
    const found = new Set<string>();
    const root = this.#program.getCurrentDirectory();
    const visit = (node: ts.Node): void => {
      if (ts.isImportTypeNode(node) && node.qualifier && /^["']\./.test(node.argument.getText())) {
        const name = firstName(node.qualifier);
        if (!this.#exports.has(name)) found.add(`${name} in ${node.argument.getText()}`);
      }
      const name = referredName(node);
      const symbol = name === undefined ? undefined : this.#scopeOf(source).get(name);
      const origin = symbol && this.#originOf(symbol);
      const file = origin?.declarations?.[0]?.getSourceFile().fileName;
      if (file !== undefined && !file.includes('/node_modules/') && !this.#exported.has(origin!)) {
        found.add(`${origin!.name} in ${file.replace(`${root}/`, '')}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(declaration);
    return [...found];
  }

  #scopeOf(source: ts.SourceFile): ReadonlyMap<string, ts.Symbol> {
    let scope = this.#scopes.get(source);
    if (scope === undefined) {
      const symbols = this.#checker.getSymbolsInScope(source, NAMEABLE);
      scope = new Map(symbols.map((symbol) => [symbol.name, symbol]));
      this.#scopes.set(source, scope);
    }
    return scope;
  }

  /** The symbol that is declared, instead of one that imports or exports it. */
  #originOf(symbol: ts.Symbol): ts.Symbol {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return this.#checker.getExportSymbolOfSymbol(isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol);
  }
}

function parse(declarations: string): ts.SourceFile {
  return ts.createSourceFile('declarations.d.ts', declarations, ts.ScriptTarget.Latest, true);
}

/** The names that a statement declares. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.text];
}

function withoutPrivateMembers(statement: ts.Statement): ts.Statement {
  if (!ts.isClassDeclaration(statement)) return statement;
  const { modifiers, name, typeParameters, heritageClauses, members } = statement;
  const visible = members.filter((member) => ts.isConstructorDeclaration(member) || !isPrivate(member));
  return ts.factory.updateClassDeclaration(
    statement,
    modifiers,
    name,
    typeParameters,
    heritageClauses,
    visible,
  );
}

function isPrivate(member: ts.ClassElement): boolean {
  const isHash = member.name !== undefined && ts.isPrivateIdentifier(member.name);
  return isHash || (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
}

/** The name that a node refers to as a type, or as a value whose type it takes. */
function referredName(node: ts.Node): string | undefined {
  if (ts.isTypeReferenceNode(node)) return firstName(node.typeName);
  if (ts.isTypeQueryNode(node) && !ts.isImportTypeNode(node.exprName)) return firstName(node.exprName);
  if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) return node.expression.text;
  return undefined;
}

function firstName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : firstName(name.left);
}
