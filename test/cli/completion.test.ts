import { spawnSync } from 'node:child_process';

import { completionScript } from '../../cli/completion-script';
import { idleProgram } from './support/command-line';

/** What bash offers after a line; its last word may be incomplete. */
function completionsOf(line: string, shell: 'bash' | 'zsh' = 'bash'): string[] {
  const words = line.split(' ');
  const script = [
    // Only zsh has these.
    'autoload() { :; }; compinit() { :; }; bashcompinit() { :; }',
    'eval "$1"',
    'shift',
    'COMP_WORDS=("$@")',
    'COMP_CWORD=$(($# - 1))',
    '_latchkey',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const args = ['--norc', '-eu', '-c', script, 'bash', completionScript(idleProgram(), shell), ...words];
  const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe.each(['bash', 'zsh'] as const)('the completion for %s', (shell) => {
  it.each([
    ['latchkey sta', ['status']],
    ['latchkey credentials ', ['put', 'rotate', 'revoke-previous', '--help']],
    ['latchkey credentials put --e', ['--environment']],
    ['latchkey status --environment ', ['staging', 'production']],
    ['latchkey token show --interface content --scope api/r', ['api/read']],
    ['latchkey rollback --kind a', ['api-key']],
    ['latchkey local env --shell ', ['bash', 'zsh', 'fish']],
    ['latchkey completion ', ['bash', 'zsh', 'fish', '--help']],
    // A file: bash completes it itself.
    ['latchkey restore --from ', []],
    ['latchkey status --tenant ', []],
  ])('offers after %j', (line, words) => {
    expect(completionsOf(line, shell)).toEqual(words);
  });

  it('offers each command and each flag', () => {
    for (const command of idleProgram().commands) {
      expect(completionsOf('latchkey ', shell)).toContain(command.name());
      for (const { long } of command.options) {
        expect(completionsOf(`latchkey ${command.name()} --`, shell)).toContain(long);
      }
    }
  });
});

it('is registered for latchkey in bash', () => {
  const script = completionScript(idleProgram(), 'bash');
  const args = ['--norc', '-c', 'eval "$1"; complete -p latchkey', 'bash', script];

  const { stdout } = spawnSync('bash', args, { encoding: 'utf8' });

  expect(stdout).toBe('complete -o default -F _latchkey latchkey\n');
});

it('has a line for each command, flag and word in fish', () => {
  const lines = completionScript(idleProgram(), 'fish').split('\n');

  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^complete -c latchkey -n 'not __fish_seen_subcommand_from init .*' -f -a status -d 'show /,
      ),
      `complete -c latchkey -n '__fish_seen_subcommand_from credentials; and not __fish_seen_subcommand_from put rotate revoke-previous' -f -a put -d 'load a client id and secret: test, store and promote them'`,
      expect.stringMatching(
        /^complete -c latchkey -n '__fish_seen_subcommand_from status' -l environment -x -a 'staging production' -d /,
      ),
      expect.stringMatching(
        /^complete -c latchkey -n '__fish_seen_subcommand_from restore; and not __fish_seen_subcommand_from history' -l from -r -d /,
      ),
      `complete -c latchkey -n '__fish_seen_subcommand_from completion' -f -a fish`,
    ]),
  );
});
