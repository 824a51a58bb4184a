import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import rule from '../../eslint.secret-comparisons.cjs';
import { requireInstalled } from '../support/require-installed';

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

const requireLint = requireInstalled('tools/lint');
const { Linter } = requireLint('eslint') as {
  Linter: new () => { verify(text: string, config: object, file: string): object[] };
};
const { parser } = requireLint('typescript-eslint') as { parser: object };
const ESLINT = join(requireLint.resolve('eslint/package.json'), '../bin/eslint.js');

/** What the lint rule for functions and the client reports. */
function reported(source: string) {
  const rules = { 'no-restricted-syntax': ['error', ...rule] };
  return new Linter().verify(source, { files: ['**/*.ts'], languageOptions: { parser }, rules }, 'source.ts');
}

describe('T6: no comparison of secrets takes a time that depends on them', () => {
  test.each(['lambdas/restore/handler.ts', 'client/index.ts'])('lint applies the rule to %s', (file) => {
    // In another process, since jest cannot load an ES module.
    const printed = execFileSync(process.execPath, [ESLINT, '--print-config', file], { encoding: 'utf8' });
    const { rules } = JSON.parse(printed) as { rules: Record<string, unknown> };

    expect(rules['no-restricted-syntax']).toEqual(expect.arrayContaining([2, ...rule]));
  });

  test.each([
    'if (key.apiKey === presented) done();',
    'class A { #secret; is(presented) { return presented !== this.#secret; } }',
    'stored.accessToken!.startsWith(text)',
    'cached?.sha256 !== other',
    'digest == other',
    'keys.includes(presentedKey)',
    'a.equals(secret.sha256)',
    'sign(x).digest() === y',
  ])('lint reports one in %s', (source) => {
    expect(reported(source)).toMatchObject([{ ruleId: 'no-restricted-syntax', severity: 2 }]);
  });

  test.each([
    'token === undefined',
    'kind === "api-key"',
    'secret?.x == null',
    'timingSafeEqual(key, token)',
  ])('lint reports none in %s', (source) => expect(reported(source)).toEqual([]));
});
