import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The subjects of mutation testing. `wanted` is the minimum score in percent. `files` limits a folder to a
 * sample, and `tests` names the tests if they do not mirror the folder.
 */
export const SUBJECTS = {
  'lambdas/token-refresh': { wanted: 95 },
  'lambdas/rotate-credentials': { wanted: 95 },
  'lambdas/restore': { wanted: 95 },
  'lambdas/authorizer': { wanted: 95 },
  'lambdas/shared/domain': {
    wanted: 95,
    tests: ['test/lambdas/shared/domain/*', 'test/lambdas/shared/adapters/platform-proof'],
  },
  client: { files: ['token-cache', 'refused-tokens', 'recent-failures', 'waits'] },
  contract: {
    files: ['platform-address', 'secret-names', 'schedules', 'token-key', 'token-value', 'usage-key'],
    tests: [
      'test/contract/{names,platform-address,schedules,token-key,usage-key}',
      'test/lambdas/shared/domain/stored-token',
    ],
  },
  inspect: { files: ['rotation-findings', 'token-findings', 'attention'] },
};

/** The minimum score of a folder or of a file in it, in percent. */
export function wantedFor(subject) {
  return (SUBJECTS[subject] ?? SUBJECTS[dirname(subject)])?.wanted ?? 0;
}

/**
 * Entries and their wiring, in separate runs: their tests load bundles and the SDK, which would slow down
 * every other mutant.
 */
const ENTRIES = ['handler', 'compose'];

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
  const { tests = [`test/${folder}/**/*`] } = SUBJECTS[folder] ?? {};
  const places = isEntry ? [`test/${folder}/handler`] : tests;
  return {
    tests: places.map((place) => `<rootDir>/${place}.test.ts`),
    // Tests of a bundle's size and contents do not test single lines.
    withoutTests: isEntry ? [] : ['/handler\\.test\\.ts$', '/bundle\\.test\\.ts$'],
  };
}
