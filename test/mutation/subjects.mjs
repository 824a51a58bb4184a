import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The subjects of mutation testing. `files` limits a folder to a sample, and `tests` and
 * `entryTests` name the tests if they do not mirror it.
 */
export const SUBJECTS = {
  'lambdas/token-refresh': {},
  'lambdas/token-sweep': { entryTests: ['test/lambdas/token-refresh/handler'] },
  'lambdas/rotate-credentials': {},
  'lambdas/restore': {},
  'lambdas/authorizer': {},
  'lambdas/credential-watch': {},
  client: {},
  core: {
    tests: [
      'test/core/!(openapi-lint|reference-pages)',
      'test/core/*/**/*',
      'test/lambdas/shared/adapters/platform-proof',
    ],
  },
  'lib/options': {
    files: ['restore-api-rules', 'adoption-rules', 'compose-deployment-file'],
    tests: ['test/lib/options/{adoption-rules,compose-deployment-file,restore-api-rules,rules,schema}'],
  },
  'lib/constructs': {
    files: ['internal/operator-policy', 'internal/bundled-function'],
    tests: ['test/lib/constructs/internal/*'],
  },
};

/**
 * Entries and their wiring, in separate runs: their tests load bundles and the SDK, which would slow down
 * every other mutant.
 */
const ENTRIES = ['handler', 'compose'];

/** The subject that a file is in. */
export const subjectOf = (file) =>
  Object.keys(SUBJECTS).find((subject) => file.startsWith(`${subject}/`)) ?? '';

/** The StrykerJS runs of a subject: files to mutate, and tests that should fail. */
export function partsOf(subject) {
  if (subject.endsWith('.ts')) {
    const isEntry = ENTRIES.some((entry) => subject.endsWith(`/${entry}.ts`));
    return [{ name: subject, mutate: [subject], ...testsOf(dirname(subject), isEntry) }];
  }
  const { files = ['**/*'] } = SUBJECTS[subject] ?? {};
  const entries = ENTRIES.map((entry) => `${subject}/${entry}.ts`).filter((file) => existsSync(file));
  const others = files.map((file) => `${subject}/${file}.ts`);
  return [
    { name: subject, mutate: [...others, ...entries.map((file) => `!${file}`)], ...testsOf(subject, false) },
    ...(entries.length > 0
      ? [{ name: `${subject}/entries`, mutate: entries, ...testsOf(subject, true) }]
      : []),
  ];
}

function testsOf(folder, isEntry) {
  const { tests = [`test/${folder}/**/*`], entryTests = [`test/${folder}/handler`] } = SUBJECTS[folder] ?? {};
  const places = isEntry ? entryTests : tests;
  return {
    isEntry,
    tests: places.map((place) => `<rootDir>/${place}.test.ts`),
    // Tests of a bundle's size and contents do not test single lines.
    withoutTests: isEntry ? [] : ['/handler\\.test\\.ts$', '/bundle\\.test\\.ts$'],
  };
}
