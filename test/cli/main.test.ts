import { commandsAfter } from '../../cli/program';
import { version } from '../../package.json';
import { type Outcome, OUTCOMES } from '../../core/restore/restore-outcomes';
import { commandsOf, flagsOf, runLine } from './support/command-line';

const OF_TOKEN = commandsAfter(['token']).join(', ');
const LISTED = 'allowed: the options that --help lists';
const CODES = [...new Set(Object.values(OUTCOMES).map(({ code }: Outcome) => code ?? 'restored'))];

/** The words of each command. */
const WORDS = commandsOf()
  .map(({ name }) => name.split(' '))
  .filter(([first]) => first !== 'help' && first !== 'completion');

describe('the command line', () => {
  it('prints help without arguments', async () => {
    const { exitCode, stdout, stderr } = await runLine([]);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const command of commandsAfter([])) expect(stdout).toContain(`  ${command} `);
  });

  it.each(WORDS)('has a summary, examples and flags for %j', async (...words) => {
    const { exitCode, stdout } = await runLine([...words, '--help']);

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: latchkey [a-z -]+\[options\].*\n\n[A-Z]/);
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain(`latchkey ${words.join(' ')}`);
    const hasResult = words.join(' ') !== 'local start';
    expect(stdout.includes('--json')).toBe(hasResult);
  });

  it.each([
    [['statu'], 'arguments: found the unknown command statu; allowed: status'],
    [['token', 'frobnicate'], `arguments: found the unknown command frobnicate; allowed: ${OF_TOKEN}`],
    [['token'], `arguments: found no command; allowed: ${OF_TOKEN}`],
    [
      ['status', '--enviroment', 'x'],
      'arguments: found the unknown option --enviroment; allowed: --environment',
    ],
    [['status', '--frob=canary'], `arguments: found the unknown option --frob; ${LISTED}`],
    [['status', '--Canary9x'], `arguments: found the unknown option (not shown); ${LISTED}`],
    [
      ['Canary9x'],
      `arguments: found the unknown command (not shown); allowed: ${commandsAfter([]).join(', ')}`,
    ],
    [
      ['restore', 'id-1', '--author-ref', '--local'],
      '--author-ref: found nothing; allowed: a value after it',
    ],
    [['status', 'canary', 'canary'], 'arguments: found 2 more than the command takes; allowed: options only'],
    [
      ['restore', 'a', 'canary'],
      'arguments: found 1 more than the command takes; allowed: 1 and options only',
    ],
    [['restore', '--parallel', '33', '--from', 'a'], '--parallel: found 33; allowed: 1–32'],
    [['restore', 'history', '--limit', '10001'], '--limit: found 10001; allowed: 1–10000'],
    [['restore', 'history', '--limit', '0x9'], '--limit: found 0x9; allowed: 1–10000'],
    [['restore', 'history', '--outcome', 'done'], `--outcome: found done; allowed: ${CODES.join(', ')}`],
    [
      ['restore', '--tenant', 'a', 'history'],
      'arguments: found --tenant before history; allowed: all options after history',
    ],
    [['restore', '--parallel', '0', '--from', 'a'], '--parallel: found 0; allowed: 1–32'],
    [['status', '--environment'], '--environment: found nothing; allowed: a value after it'],
    [['status', '--environment', 'live'], '--environment: found live; allowed: staging, production'],
    [
      ['status', '--environment', 'Canary9x'],
      '--environment: found something else; allowed: staging, production',
    ],
    [['help', 'token', 'Canary9x'], `arguments: found the unknown command (not shown); allowed: ${OF_TOKEN}`],
    [['help', 'status', 'now'], 'arguments: found the unknown command now; allowed: help status'],
    [['completion', 'ksh'], 'shell: found ksh; allowed: bash, zsh, fish'],
    [['completion'], 'arguments: found no <shell>; allowed: one, as in --help'],
  ])('exits with 2 and one line at %j', async (args, line) => {
    const { exitCode, stdout, stderr } = await runLine(args);

    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: `latchkey: ${line}\n` });
  });

  it.each([
    [['help'], []],
    [['help', 'token'], ['token']],
    [
      ['help', 'credentials', 'put'],
      ['credentials', 'put'],
    ],
  ])('prints the same for %j as with --help', async (args, words) => {
    const helped = await runLine(args);

    expect(helped.stdout).toContain('Usage: latchkey ');
    expect(helped).toEqual(await runLine([...words, '--help']));
  });

  it('prints the same for -v as for --version', async () => {
    const { exitCode, stdout } = await runLine(['-v']);

    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${version}\n` });
    expect(await runLine(['--version'])).toEqual(await runLine(['-v']));
  });

  it('passes flags to a command by their names in code', async () => {
    const given = ['--platform-region', 'mea', '--tenant=one', '--revoke-previous', '--no-color'];

    expect(await flagsOf(['credentials', 'put', ...given])).toEqual({
      platformRegion: 'mea',
      tenant: 'one',
      revokePrevious: true,
      color: false,
    });
  });

  it.each([
    [['history', '--tenant', 'a', '--author-ref', 'b'], { tenant: 'a', authorRef: 'b' }],
    [['histories', '--tenant', 'a'], { tenant: 'a', contentId: 'histories' }],
    [['--from', 'ids.txt', '--tenant', 'a'], { tenant: 'a', from: 'ids.txt' }],
    [['--tenant', 'a', '65f2c0ffee'], { tenant: 'a', contentId: '65f2c0ffee' }],
  ])('tells restore history from restore: %j', async (args, expected) => {
    expect(await flagsOf(['restore', ...args])).toEqual({ ...expected, color: true });
  });
});
