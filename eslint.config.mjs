import { createRequire } from 'node:module';
import { join } from 'node:path';

import secretComparisons from './eslint.secret-comparisons.cjs';

// This file is where editors look for it, and the packages are where users of the toolkit do not install them.
const requireInstalled = createRequire(join(import.meta.dirname, 'tools/lint/package.json'));
const eslint = requireInstalled('@eslint/js');
const tseslint = requireInstalled('typescript-eslint');

/**
 * Which top-level folders each folder may import (docs/architecture.md). Anything not listed is rejected, so every new
 * folder needs an entry. `packages` lists external packages that a folder may not use.
 */
const cdk = ['aws-cdk-lib', 'aws-cdk-lib/*', 'constructs', 'cdk-nag'];
/** Packages of this repository. Only what runs a laptop system imports them, and tests. */
const OWN_PACKAGES = [
  'cdk-on-loopback',
  'cdk-on-loopback/*',
  'learning-platform-sandbox',
  'learning-platform-sandbox/*',
];
const FOLDERS = [
  'bin',
  'cli',
  'client',
  'core',
  'examples',
  'lambdas',
  'laptop',
  'lib',
  'packages',
  'test',
  'tools',
];
const IMPORTS = {
  core: { may: [], packages: ['node:(?!crypto$)*', '@aws-sdk/*', 'zod', ...OWN_PACKAGES, ...cdk] },
  lib: { may: ['core'], types: ['lambdas'], packages: OWN_PACKAGES },
  lambdas: { may: ['client', 'core'], packages: [...OWN_PACKAGES, ...cdk] },
  client: { may: ['core'], packages: [...OWN_PACKAGES, ...cdk] },
  cli: { may: ['client', 'core', 'lambdas', 'laptop', 'lib'], packages: [...OWN_PACKAGES, ...cdk] },
  laptop: { may: ['core'], packages: ['learning-platform-sandbox', 'learning-platform-sandbox/*', ...cdk] },
  packages: { may: [], packages: [...OWN_PACKAGES, 'latchkey', 'latchkey/*', ...cdk] },
  tools: { may: ['cli', 'core', 'laptop', 'lib', 'packages', 'test'] },
  bin: { may: ['cli', 'laptop', 'lib', 'tools'] },
  examples: { may: [] },
};

const elsewhere = (folder, may) => FOLDERS.filter((other) => other !== folder && !may.includes(other));
const foldersRegex = (folders) => `^\\.\\.?/(.*/)?(${folders.join('|')})/`;

/** Both packages are imported by their names. `packages/aws-proof` is a part of the command, and no package of npm's. */
const insidePackages = {
  regex: '/packages/(?!aws-proof/)',
  message: 'import a package by its name, or its `testing` entry.',
};

/** All restrictions of a folder in one list, because a later entry for a file replaces an earlier one. */
function restrictions(folder, extra = []) {
  const { may, types = [], packages = [] } = IMPORTS[folder];
  const forbidden = elsewhere(folder, [...may, ...types]);
  return [
    {
      regex: foldersRegex(forbidden),
      message: `${folder}/ may import only ${[...may, ...types.map((t) => `types of ${t}`)].join(', ') || 'nothing of ours'}.`,
    },
    ...types.map((type) => ({
      regex: `${foldersRegex([type])}(?!.*/environment$).*`,
      message: `${folder}/ takes only the types in ${type}/*/environment.ts.`,
    })),
    ...types.map((type) => ({
      regex: `${foldersRegex([type])}.*/environment$`,
      allowTypeImports: true,
      message: `${folder}/ takes only types from ${type}/*/environment.ts.`,
    })),
    ...packages.map((name) => ({
      regex: `^${name.replaceAll('.', '\\.').replace(/\/?\*$/, '.*')}${name.endsWith('*') ? '' : '$'}`,
      message: `${folder}/ does not use ${name}.`,
    })),
    ...(folder === 'packages' ? [] : [insidePackages]),
    ...extra,
  ];
}
const entry = (files, patterns) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});

const SANDBOX = 'packages/learning-platform-sandbox/src';

const TYPESCRIPT = ['**/*.{ts,mts,cts}'];

const noSdk = { regex: '^@aws-sdk/', message: 'only the function of the sandbox uses the SDK.' };
const noConformance = {
  regex: '^\\.\\.?/(.*/)?conformance/',
  message: 'the sandbox does not import the conformance suite.',
};

/** The rules above check static imports only, and dynamic ones are not needed. */
const dynamicImports = { selector: 'ImportExpression', message: 'Import statically.' };

export default tseslint.config(
  {
    ignores: ['**/node_modules', '**/cdk.out', '.latchkey', '.stryker', 'coverage', 'dist'],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: TYPESCRIPT })),
  {
    files: TYPESCRIPT,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', dynamicImports],
    },
  },
  {
    files: ['lambdas/**/*.ts', 'client/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', dynamicImports, ...secretComparisons] },
  },
  ...Object.keys(IMPORTS).map((folder) =>
    entry([`${folder === 'packages' ? 'packages/*/src' : folder}/**/*.{ts,mts,cts}`], restrictions(folder)),
  ),
  // Inside lib: bin → stacks → constructs → config. Inside lambdas: handler → adapters → ports.
  entry(
    ['lib/constructs/**/*.ts'],
    restrictions('lib', [{ regex: '/stacks/', message: 'constructs do not import stacks.' }]),
  ),
  entry(
    ['lib/options/**/*.ts'],
    restrictions('lib', [
      { regex: '/(stacks|constructs)/', message: 'the configuration imports neither constructs nor stacks.' },
      { regex: '^(aws-cdk-lib|constructs)', message: 'the configuration is plain data.' },
    ]),
  ),
  entry(
    ['lambdas/shared/ports.ts'],
    restrictions('lambdas', [{ regex: '^(@aws|node:)|/adapters/', message: 'ports import only core.' }]),
  ),
  entry(
    ['lambdas/!(optional)/!(handler|compose).ts'],
    restrictions('lambdas', [
      { regex: '^@aws|/adapters/', message: 'use cases import ports, not adapters.' },
    ]),
  ),
  // The command proves credentials and calls the platform only with the code that it shares with the functions.
  entry(
    ['cli/**/*.ts'],
    restrictions('cli', [
      {
        regex: '/lambdas/(?!shared/)',
        message: 'the command imports only lambdas/shared/ of the functions.',
      },
      { regex: '/lib/(?!options/)', message: 'the command imports only lib/options/ of lib.' },
      { regex: '/laptop/(?!run-lock$)', message: 'the command imports only laptop/run-lock of laptop.' },
    ]),
  ),
  entry(
    ['packages/aws-proof/src/**/*.ts'],
    [
      {
        regex: foldersRegex(['bin', 'examples', 'laptop', 'lib', 'packages', 'test', 'tools']),
        message: 'proving imports cli, client, core and lambdas/shared.',
      },
      { regex: '/lambdas/(?!shared/)', message: 'a run imports only lambdas/shared/ of the functions.' },
    ],
  ),
  // The conformance suite and the sandbox share no code, so that a misreading of the specification cannot hide in both.
  entry([`${SANDBOX}/*.ts`], restrictions('packages', [noSdk])),
  entry([`${SANDBOX}/sandbox/**/*.ts`], restrictions('packages', [noSdk, noConformance])),
  entry([`${SANDBOX}/sandbox/function/{handler,state-table}.ts`], restrictions('packages', [noConformance])),
  entry(
    [`${SANDBOX}/conformance/**/*.ts`],
    restrictions('packages', [
      noSdk,
      { regex: '^\\.\\.?/(.*/)?sandbox/', message: 'the conformance suite does not import the sandbox.' },
    ]),
  ),
  // The packages know nothing of Latchkey. Their tests may use what is general in test/support.
  entry(
    ['packages/{cdk-on-loopback,learning-platform-sandbox}/test/**/*.ts'],
    [
      {
        regex: foldersRegex([
          'bin',
          'cli',
          'client',
          'core',
          'examples',
          'lambdas',
          'laptop',
          'lib',
          'tools',
        ]),
        message: 'a package imports nothing of Latchkey.',
      },
    ],
  ),
  entry(['test/**/*.ts', 'packages/aws-proof/test/**/*.ts'], [insidePackages]),
  // The main job does what an outsider can do: it uses local.json, core's names and forms, and the network.
  entry(
    ['laptop/main-job/**/*.ts'],
    restrictions('laptop', [
      {
        regex: '^\\.\\./(?!\\.\\./core/)|^cdk-on-loopback',
        message: 'the main job imports nothing from the host.',
      },
      { regex: '/core/findings/', message: 'the main job knows what an outsider knows.' },
    ]),
  ),
  // The supervisor runs the host as a separate process. It shares only the host's message types and the run lock.
  entry(
    ['laptop/supervisor/**/*.ts'],
    restrictions('laptop', [
      {
        regex: '^\\.\\./(?!(main-job|\\.\\.)/|run-lock$)',
        allowTypeImports: true,
        message: 'the supervisor imports only types of the host, and the run lock.',
      },
    ]),
  ),
  // Their own tsconfig.json finds the package where `npm install` puts it; here its names stand for the sources.
  {
    files: ['examples/**/*.{ts,mts,cts}'],
    languageOptions: { parserOptions: { projectService: false, project: './tsconfig.json' } },
    rules: {
      // The test runner waits for its tests.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', name: 'test', package: 'node:test' }] },
      ],
    },
  },
  {
    files: [
      'bin/**/*.ts',
      'cli/**/*.ts',
      'examples/**/*.{ts,mts,cts}',
      'laptop/supervisor/*.ts',
      'tools/{builds,docs}/*.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  // `latchkey --help` loads no SDK: each command's module is loaded when it runs.
  { files: ['cli/{program,issuer-commands,local-commands}.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['{test,packages/*/test,packages/*/src/testing}/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        require: 'readonly',
        module: 'writable',
        process: 'readonly',
        console: 'readonly',
        __dirname: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
    rules: { 'no-console': 'off' },
  },
  {
    files: ['test/issuers/support/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
  {
    files: ['laptop/console/page/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        navigator: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
  {
    files: ['tools/bench/programs/*'],
    languageOptions: {
      globals: {
        process: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        Response: 'readonly',
        URLSearchParams: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
);
