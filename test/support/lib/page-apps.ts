import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import * as cdk from 'aws-cdk-lib';
import { transformSync } from 'esbuild';

import * as constructs from '../../../lib/index';
import { QUIET_CONTEXT } from './app-process';
import { Synthesis, temporaryFolder } from './synthesis';

const ROOT = join(__dirname, '../../..');

/** The CDK app in one section of a page: its TypeScript blocks in order. */
export interface PageApp {
  section: string;
  code: string;
}

/** The apps of a page, by section of the second level. */
export function appsOn(page: string): PageApp[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return text.split(/^## /m).flatMap((section) => {
    const code = [...section.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block]) => block!).join('\n');
    return code === '' ? [] : [{ section: section.slice(0, section.indexOf('\n')), code }];
  });
}

/** What the compiler says of the apps, as in a strict project that has the package installed. */
export function typeErrorsIn(apps: readonly PageApp[]): string {
  const folder = temporaryFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const files = apps.map(({ section, code }) => {
    const file = `${section.toLowerCase().replace(/\W+/g, '-')}.ts`;
    // An app without imports would share its names with the others.
    writeFileSync(join(folder, file), `${code}\nexport {};\n`);
    return file;
  });
  const compilerOptions = {
    noUnusedLocals: false,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: {
      'latchkey/constructs': [join(ROOT, 'lib/index.ts')],
      // Without the namespaces of all services, which the apps import by their paths. Reading them takes seconds.
      'aws-cdk-lib': [join(ROOT, 'node_modules/aws-cdk-lib/core')],
    },
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  const tsc = [require.resolve('typescript/bin/tsc'), '--project', folder, '--pretty', 'false'];
  const { stdout, stderr } = spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

/**
 * Runs an app and synthesizes it.
 * @throws whatever the app throws
 */
export function runPageApp({ section, code }: PageApp): Synthesis {
  const made: cdk.App[] = [];
  class RecordedApp extends cdk.App {
    constructor(props: cdk.AppProps = {}) {
      super({ ...props, outdir: temporaryFolder(), treeMetadata: false, context: QUIET_CONTEXT });
      made.push(this);
    }
  }
  const modules: Record<string, unknown> = {
    'aws-cdk-lib': Object.defineProperties({}, { ...everyExport(cdk), App: { value: RecordedApp } }),
    'latchkey/constructs': constructs,
  };
  const { code: runnable } = transformSync(code, { loader: 'ts', format: 'cjs', target: 'node20' });
  const run = compileFunction(runnable, ['require', 'module', 'exports']) as (...scope: unknown[]) => void;
  run((name: string) => modules[name] ?? jest.requireActual<object>(name), { exports: {} }, {});
  if (made.length !== 1) throw new Error(`${section}: found ${made.length} apps; allowed: 1`);
  return new Synthesis(made[0]!);
}

function everyExport(module: object): PropertyDescriptorMap {
  return Object.fromEntries(
    Object.keys(module).map((name) => [name, { get: () => Reflect.get(module, name) as unknown }]),
  );
}
