import { join } from 'node:path';

import { format } from 'prettier';
import ts from 'typescript';

import { apiReference } from './api-reference';
import { apiReport } from './api-report';

const ROOT = join(__dirname, '../..');
/** What `exports` in `package.json` offers to programs, and its sources. */
const ENTRIES = {
  client: 'client/index.ts',
  constructs: 'lib/index.ts',
  sandbox: 'packages/learning-platform-sandbox/src/index.ts',
};

let pages: Promise<Map<string, string>> | undefined;

/** For each entry, a page for its users, and a report in which each change of its API shows as a difference. */
export const API_PAGES = Object.keys(ENTRIES)
  .flatMap((name) => [referenceFile(name), reportFile(name)])
  .map((file) => ({
    file,
    // Reading the entries with all that they import takes seconds, so their pages share it.
    text: async () => (await (pages ??= apiPages())).get(file)!,
  }));

function referenceFile(name: string): string {
  return `docs/api/${name}.md`;
}

function reportFile(name: string): string {
  return `docs/api/reports/${name}.api.md`;
}

async function apiPages(): Promise<Map<string, string>> {
  const program = readEntries();
  const entries = Object.entries(ENTRIES).map(([name, file]) => {
    const source = program.getSourceFile(join(ROOT, file))!;
    return { name, source, ...apiReport(program, source) };
  });
  const texts = new Map<string, string>();
  for (const { name, text } of entries) texts.set(reportFile(name), await reportPage(name, text));
  for (const [name, text] of await apiReference(program, entries)) texts.set(referenceFile(name), text);
  return texts;
}

/** Reads the entries with the options with which the package's types are built. */
function readEntries(): ts.Program {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const { options } = ts.getParsedCommandLineOfConfigFile(join(ROOT, 'tsconfig.json'), {}, host)!;
  return ts.createProgram(
    Object.values(ENTRIES).map((file) => join(ROOT, file)),
    { ...options, types: ['node'], noEmit: false, declaration: true, stripInternal: true },
  );
}

async function reportPage(name: string, declarations: string): Promise<string> {
  const text = await format(declarations, { parser: 'typescript', printWidth: 110, singleQuote: true });
  return `# What \`latchkey/${name}\` exports

\`npm run docs\` writes this report. A line that changes or disappears can break users ([what counts](../../releases.md#versions)).

\`\`\`ts
${text}\`\`\`
`;
}
