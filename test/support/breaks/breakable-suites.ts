import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Breakable } from './break';

const ROOT = join(__dirname, '../../..');

/** A kind of tables that say how their tests are broken. */
interface BreakableSuite {
  /** Project of jest's configuration. */
  project: string;
  /** From the root of the repository. */
  folder: string;
  /** Names of the modules that hold the tables. */
  modules: RegExp;
  /** What such a module exports its table as. */
  table: string;
  /** Name of the test file of a module, in the same folder. */
  testOf: (module: string) => string;
}

const SUITES = {
  faults: {
    project: 'fault',
    folder: 'test/faults',
    modules: /-faults\.ts$/,
    table: 'ROWS',
    testOf: (module) => module.replace(/\.ts$/, '.test.ts'),
  },
} as const satisfies Record<string, BreakableSuite>;

export type SuiteName = keyof typeof SUITES;
export const SUITE_NAMES = Object.keys(SUITES) as SuiteName[];

/** An entry of a table, with where its test is. */
export interface BreakableTest extends Breakable {
  /** Path of the test file, from the root of the repository. */
  test: string;
}

/** Every entry of a suite's tables; modules that export no table are passed over. */
export function readSuite(name: SuiteName): { project: string; entries: BreakableTest[] } {
  const { project, folder, modules, table, testOf }: BreakableSuite = SUITES[name];
  const entries = readdirSync(join(ROOT, folder))
    .filter((module) => modules.test(module))
    .flatMap((module) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- which modules there are is known only now
      const exported = require(join(ROOT, folder, module)) as Record<string, Breakable[] | undefined>;
      return (exported[table] ?? []).map(({ id, brokenBy }) => ({
        id,
        brokenBy,
        test: `${folder}/${testOf(module)}`,
      }));
    });
  return { project, entries };
}
