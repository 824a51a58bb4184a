import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { ENTRIES, packageTypes } from '../builds/package';
import { apiReference } from './api-reference';

const ROOT = join(__dirname, '../..');

interface ApiExtractor {
  readonly Extractor: { invoke(config: unknown, options: object): { succeeded: boolean } };
  readonly ExtractorConfig: { prepare(options: object): unknown };
}
const requireTool = createRequire(join(ROOT, 'tools/lint/package.json'));

let pages: Promise<Map<string, string>> | undefined;

/** For each entry, a page for its users, and a report in which each change of its API shows as a difference. */
export const API_PAGES = Object.keys(ENTRIES)
  .flatMap((name) => [referenceFile(name), reportFile(name)])
  .map((file) => ({
    file,
    // Writing the declarations takes seconds, so their pages share them.
    text: async () => (await (pages ??= apiPages())).get(file)!,
  }));

function referenceFile(name: string): string {
  return `docs/api/${name}.md`;
}

function reportFile(name: string): string {
  return `docs/api/reports/${name}.api.md`;
}

/** Reads the declarations that the package's users get, in a folder in which their imports are found. */
async function apiPages(): Promise<Map<string, string>> {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'dist/api-'));
  try {
    for (const [file, text] of packageTypes()) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const declarations = Object.entries(ENTRIES).map(([name, entry]) => ({
      name,
      file: join(folder, `${entry}.d.ts`),
    }));
    const texts = declarations.map(
      ({ name, file }) => [reportFile(name), apiReport(name, file, folder)] as const,
    );
    const references = await apiReference(declarations);
    return new Map([
      ...texts,
      ...[...references].map(([name, text]) => [referenceFile(name), text] as const),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws {Error} if an exported declaration refers to one that is not exported */
function apiReport(name: string, declarations: string, folder: string): string {
  const { Extractor, ExtractorConfig } = requireTool('@microsoft/api-extractor') as ApiExtractor;
  const [none, error] = [{ logLevel: 'none' }, { logLevel: 'error' }];
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    strict: true,
    skipLibCheck: true,
  };
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(ROOT, 'package.json'),
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: folder,
        reportTempFolder: join(folder, 'temp'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      messages: {
        compilerMessageReporting: { default: error },
        extractorMessageReporting: { default: none },
        tsdocMessageReporting: { default: none },
      },
    },
  });
  const messages: string[] = [];
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message: { logLevel: string; text: string; handled: boolean }) => {
      if (message.logLevel === 'error') messages.push(message.text);
      message.handled = true;
    },
  });
  if (!succeeded) throw new Error(`latchkey/${name}: ${messages.join('\n')}`);
  return readFileSync(join(folder, `${name}.api.md`), 'utf8');
}
