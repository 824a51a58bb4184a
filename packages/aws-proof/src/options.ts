import { parseArgs } from 'node:util';

import { usageError } from '../../../cli/command-error';
import { showArgument } from '../../../cli/safe-text';
import { ACCOUNT_ID, ACCOUNT_RULE } from '../../../core/deployment/account-id';
import { isRunPrefix, RUN_PREFIX } from './clean-up/runs';
import { QUESTIONS } from './questions/all';

export type ProveOptions = ReturnType<typeof readProveOptions>;

/**
 * Parses the arguments of `latchkey prove`. The command has refused unknown flags and printed the help before it starts this program.
 * @throws {CommandError} usage
 */
export function readProveOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      profile: { type: 'string' },
      region: { type: 'string' },
      account: { type: 'string' },
      local: { type: 'boolean', default: false },
      'state-dir': { type: 'string' },
      only: { type: 'string' },
      slow: { type: 'boolean', default: false },
      clean: { type: 'boolean', default: false },
      run: { type: 'string' },
      // The folder of reports, and of the records of runs that are not cleaned up.
      results: { type: 'string', default: '.latchkey/prove' },
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'no-color': { type: 'boolean', default: false },
    },
  });
  const { profile, region, account, local, clean, slow, run, only } = values;
  for (const [name, given] of Object.entries(values))
    if (given === '') throw usageError(`--${name}`, 'an empty text', 'a value');
  for (const [name, given] of Object.entries({ profile, region, account }))
    if (local && given !== undefined)
      throw usageError(`--${name}`, 'a value with --local', 'only one of them');
  if (!local && values['state-dir'] !== undefined)
    throw usageError('--state-dir', 'a value without --local', 'with --local');
  if (account !== undefined && !ACCOUNT_ID.test(account))
    throw usageError('--account', showArgument(account), ACCOUNT_RULE);
  if (region !== undefined && !/^[a-z]{2,4}(-[a-z]+)+-\d$/.test(region))
    throw usageError('--region', showArgument(region), 'an AWS region such as eu-west-1');
  if (run !== undefined && !clean) throw usageError('--run', 'no --clean', 'with --clean');
  const runs = listOf('--run', run, isRunPrefix, `prefixes of runs such as ${RUN_PREFIX}3f9a2c41`);
  const known = QUESTIONS.map(({ id }) => id);
  const ids = listOf('--only', only, (name) => known.includes(name), known.join(', '));
  const questions = QUESTIONS.filter((question) =>
    ids.length > 0 ? ids.includes(question.id) : slow || question.slow !== true,
  );
  return { ...values, runs, questions };
}

function listOf(
  flag: string,
  given: string | undefined,
  isAllowed: (name: string) => boolean,
  allowed: string,
): string[] {
  const names = given?.split(',').map((name) => name.trim()) ?? [];
  const wrong = names.find((name) => !isAllowed(name));
  if (wrong !== undefined) throw usageError(flag, showArgument(wrong), allowed);
  return names;
}
