import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { preProcessFile } from 'typescript';

import { requireInstalled } from './support/require-installed';

const ROOT = join(__dirname, '..');

/**
 * Lints without type information, which the rule does not need. Runs in another process, since jest cannot
 * load ESLint's configuration, an ES module.
 */
const LINT = `
const { ESLint } = require(${JSON.stringify(requireInstalled('tools/lint').resolve('eslint'))});
const cases = JSON.parse(process.argv[1]);
const overrideConfig = { languageOptions: { parserOptions: { projectService: false, project: null } } };
const eslint = new ESLint({ overrideConfig, ruleFilter: ({ ruleId }) => ruleId === '@typescript-eslint/no-restricted-imports' });
Promise.all(cases.map(async ([filePath, from]) => {
  const [{ messages }] = await eslint.lintText("import { x } from '" + from + "'; export const y = x;", { filePath });
  const fatal = messages.find((message) => message.fatal);
  if (fatal) throw new Error(filePath + ': ' + fatal.message);
  return messages.some(({ ruleId }) => ruleId === '@typescript-eslint/no-restricted-imports');
})).then((refused) => console.log(JSON.stringify(refused)));
`;

/** File, its import, and whether lint refuses it. */
const CASES: [string, string, boolean][] = [
  ['laptop/main-job/main-job.ts', '../host', true],
  ['laptop/main-job/main-job.ts', 'learning-platform-sandbox', true],
  ['laptop/main-job/main-job.ts', '../../lambdas/token-refresh/sweep', true],
  ['laptop/main-job/main-job.ts', '../../lib/options/load', true],
  ['laptop/main-job/main-job.ts', 'cdk-on-loopback', true],
  ['laptop/main-job/main-job.ts', '../../core/deployment/platform', false],
  ['packages/learning-platform-sandbox/src/sandbox/sandbox.ts', '../../../../core/deployment/platform', true],
  ['packages/learning-platform-sandbox/src/sandbox/sandbox.ts', 'cdk-on-loopback', true],
  ['packages/learning-platform-sandbox/src/sandbox/sandbox.ts', '@aws-sdk/client-secrets-manager', true],
  ['packages/learning-platform-sandbox/src/sandbox/sandbox.ts', 'hono', false],
  ['packages/learning-platform-sandbox/src/sandbox/sandbox.ts', '../conformance/check', true],
  ['packages/learning-platform-sandbox/src/conformance/run-checks.ts', '../sandbox/seed', true],
  [
    'packages/learning-platform-sandbox/src/conformance/run-checks.ts',
    '../../../../core/deployment/platform',
    true,
  ],
  ['packages/cdk-on-loopback/src/account.ts', '../../../core/json/json-object', true],
  ['packages/cdk-on-loopback/src/account.ts', '../../../laptop/host', true],
  ['packages/cdk-on-loopback/test/account.test.ts', '../../../lib/stacks/add-stacks', true],
  ['test/stacks/access.test.ts', '../../packages/cdk-on-loopback/src/account', true],
  ['test/stacks/access.test.ts', 'cdk-on-loopback/testing', false],
  ['core/deployment/platform.ts', '../../lib/options/load', true],
  ['core/deployment/platform.ts', 'zod', true],
  ['core/deployment/platform.ts', 'node:fs', true],
  ['core/tokens/token-key.ts', '../deployment/platform', false],
  ['lambdas/token-refresh/sweep.ts', '../../lib/options/load', true],
  ['lambdas/token-refresh/sweep.ts', 'aws-cdk-lib', true],
  ['lambdas/token-refresh/sweep.ts', '@aws-sdk/client-secrets-manager', true],
  ['lambdas/token-refresh/sweep.ts', '../shared/adapters/system-clock', true],
  ['lambdas/token-refresh/compose.ts', '../shared/adapters/system-clock', false],
  ['lambdas/shared/ports.ts', './adapters/system-clock', true],
  ['laptop/host.ts', '../lib/options/load', true],
  ['laptop/host.ts', '../lambdas/token-refresh/sweep', true],
  ['laptop/host.ts', '../packages/cdk-on-loopback/src/account', true],
  ['laptop/host.ts', 'aws-cdk-lib', true],
  ['lib/options/load.ts', '../stacks/add-stacks', true],
  ['lib/options/load.ts', '../constructs/tokens/token-secret', true],
  ['lib/constructs/tokens/token-secret.ts', '../../stacks/add-stacks', true],
  ['lib/constructs/restore/restore-api.ts', '../../../lambdas/restore/handler', true],
  ['lib/stacks/add-stacks.ts', '../../laptop/host', true],
  ['laptop/supervisor/supervise.ts', '../host', true],
  ['laptop/supervisor/supervise.ts', '../main-job/main-job', false],
  ['laptop/supervisor/host-process.ts', '../run-lock', false],
  ['cli/restore/results.ts', '../../laptop/run-lock', false],
  ['cli/restore/results.ts', '../../laptop/state-dir', true],
  ['cli/open-local-system.ts', '../laptop/run-description', true],
  ['bin/start.ts', '../laptop/supervisor/supervise', false],
  ['examples/pipeline/app.ts', '../../bin/app', true],
  ['examples/pipeline/app.ts', '../../lib/stacks/latchkey-stage', true],
  ['examples/node-service/server.mts', '../../cli/main', true],
  ['examples/node-service/server.mts', 'latchkey/client', false],
];

it('refuses every import against the directions in docs/architecture.md, and no other', () => {
  const cases = CASES.map(([file, from]) => [join(ROOT, file), from]);

  const { stdout, stderr } = spawnSync(process.execPath, ['-e', LINT, JSON.stringify(cases)], {
    cwd: ROOT,
    encoding: 'utf8',
  });

  if (stdout === '') throw new Error(stderr);
  const refused = JSON.parse(stdout) as boolean[];
  expect(CASES.map(([file, from], index) => [file, from, refused[index]])).toEqual(CASES);
});

it('finds no file that imports itself by way of others', () => {
  const folders = ['bin', 'core', 'lib', 'lambdas', 'client', 'cli', 'laptop', 'packages/*/src'];
  const files = execFileSync('git', ['ls-files', ...folders.map((folder) => `${folder}/**/*.ts`)], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => existsSync(join(ROOT, file)) && file !== '');
  let left = new Map(files.map((file) => [file, importsOf(file)]));
  // Without files whose imports are all gone, only circles are left, and what imports them.
  for (let before = 0; before !== left.size;) {
    before = left.size;
    left = new Map([...left].filter(([, imported]) => imported.some((file) => left.has(file))));
  }

  expect(files.length).toBeGreaterThan(500);
  expect([...left.keys()]).toEqual([]);
});

function importsOf(file: string): string[] {
  return preProcessFile(readFileSync(join(ROOT, file), 'utf8')).importedFiles.flatMap(({ fileName }) => {
    const path = relative(ROOT, join(ROOT, dirname(file), fileName));
    return fileName.startsWith('.') ? [`${path}.ts`, `${path}/index.ts`] : [];
  });
}
