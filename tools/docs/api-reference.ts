import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  Application,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
  type TypeDocOptions,
  UnknownType,
} from 'typedoc';
import { load, type PluginOptions } from 'typedoc-plugin-markdown';
import ts from 'typescript';

const OPTIONS: TypeDocOptions & PluginOptions = {
  plugin: [load],
  name: 'latchkey',
  alwaysCreateEntryPointModule: true,
  readme: 'none',
  logLevel: 'Warn',
  // `npm run build` reports them.
  skipErrorChecking: true,
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', '*'],
  jsDocCompatibility: { defaultTag: false },
  preservedTypeAnnotationTags: ['@throws'],
  router: 'module',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  pageTitleTemplates: { module: 'latchkey/{name}' },
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: {
    hideDefaults: true,
    hideInherited: true,
    hideModifiers: true,
    hideOverrides: true,
    hideSources: true,
    hideValues: true,
    leftAlignHeaders: false,
  },
};

/** The declarations of a module. */
interface Entry {
  readonly name: string;
  readonly file: string;
}

/** Makes a page in Markdown of the docstrings of each entry. Returns the pages by name. */
export async function apiReference(entries: readonly Entry[]): Promise<Map<string, string>> {
  const app = await Application.bootstrapWithPlugins(OPTIONS);
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts'],
      types: ['node'],
      typeRoots: [join(__dirname, '../../node_modules/@types')],
      strict: true,
      skipLibCheck: true,
    },
  );
  const project = app.converter.convert(
    entries.map(({ name, file }) => ({
      displayName: name,
      program,
      sourceFile: program.getSourceFile(file)!,
    })),
  );
  shortenListed(project);
  nameErrors(project);
  leaveOutOptions(project);
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-api-'));
  try {
    app.options.setValue('outputs', [{ name: 'markdown', path: folder }]);
    await app.generateOutputs(project);
    return new Map(
      entries.map(({ name }) => {
        const text = readFileSync(join(folder, `${name}.md`), 'utf8');
        return [name, `${text.replaceAll(/[ \t]+$/gm, '').trimEnd()}\n`];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Types that another page lists. */
const LISTED = new Map([
  ['Configuration', 'object'],
  ['DeploymentConfiguration', 'object'],
  ['DeploymentAlarm', 'string'],
]);

function shortenListed(project: ProjectReflection): void {
  for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias) as DeclarationReflection[]) {
    const type = LISTED.get(alias.name);
    if (type !== undefined) alias.type = new UnknownType(type);
  }
}

/** Leaves out the options, which the configuration's page lists. */
function leaveOutOptions(project: ProjectReflection): void {
  for (const one of project.getReflectionsByKind(ReflectionKind.Interface) as DeclarationReflection[]) {
    const isOption = ({ inheritedFrom }: DeclarationReflection) =>
      one.name === 'LatchkeyOptions' || inheritedFrom?.name.startsWith('LatchkeyOptions.');
    one.children = one.children?.filter((child) => !isOption(child));
    for (const group of one.groups ?? [])
      group.children = group.children.filter((child) => !isOption(child as DeclarationReflection));
    one.groups = one.groups?.filter(({ children }) => children.length > 0);
  }
}

/** The pages otherwise say when something is thrown, but not what. */
function nameErrors(project: ProjectReflection): void {
  for (const { comment } of project.getReflectionsByKind(ReflectionKind.All)) {
    for (const tag of comment?.getTags('@throws') ?? []) {
      if (tag.typeAnnotation === undefined) continue;
      const type = tag.typeAnnotation.replaceAll(/[{}]/g, '');
      tag.content.unshift({ kind: 'code', text: `\`${type}\`` }, { kind: 'text', text: ' ' });
    }
  }
}
