import { latchkey, runLatchkey } from './support/command';
import { RunningSystem } from './support/running-system';

const OTHERS = ['auth0', 'blackboard-learn'];

describe('the learning platform and other issuers in one configuration', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await RunningSystem.start(['--config', 'config/three-issuers.json']);
  }, 120_000);
  afterAll(() => system.stop());

  it('has the tokens of all, and shows each deployment by what it has', async () => {
    const { stdout, exitCode } = await latchkey(system, ['status']);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('staging global  latchkey-staging-global\n');
    expect(stdout).toContain('auth0 production  latchkey-auth0-production\n');
    expect(stdout).toMatch(/^ {2}acme .* – +2 of 2, 23 hours$/m);
    expect(stdout).toContain('blackboard-learn production  latchkey-blackboard-learn-production\n');
    expect(stdout).toMatch(/^ {2}school .* – +1 of 1, \d+ min$/m);
    expect(stdout).not.toContain('undefined');
  });

  it('lists the tokens by flags that choose one', async () => {
    const { stderr, exitCode } = await latchkey(system, ['token', 'show']);
    const lines = stderr.split('\n').filter((line) => line.startsWith('  --issuer'));

    const shown = await Promise.all(
      lines.map((line) => latchkey(system, ['token', 'show', ...wordsOf(line), '--json'])),
    );

    expect(exitCode).toBe(2);
    expect(lines).toHaveLength(5);
    expect(shown.map((each) => each.exitCode)).toEqual(lines.map(() => 0));
    expect(
      new Set(shown.map(({ stdout }) => (JSON.parse(stdout) as { secretId: string }).secretId)).size,
    ).toBe(5);
  });

  it.each(OTHERS)(
    'loads another credential of %s, and what it prints next works as printed',
    async (issuer) => {
      const made = await runLatchkey([
        ...['local', 'new-credentials', '--issuer', issuer],
        ...['--state-dir', system.process.stateDir],
      ]);
      const put = await latchkey(system, ['credentials', 'put', '--issuer', issuer], { input: made.stdout });
      const [, next = ''] = /^Next: (?:npx )?latchkey (.*)$/m.exec(`${put.stdout}\n${put.stderr}`) ?? [];

      expect(put.exitCode).toBe(0);
      expect(next).toMatch(new RegExp(`^status --issuer ${issuer} --environment production --tenant `));
      expect((await runLatchkey(wordsOf(next))).stdout).toContain('✓ No action needed');
    },
  );

  it('keeps a refused credential of one and an outage of another to themselves', async () => {
    const { stdout: made } = await runLatchkey([
      ...['local', 'new-credentials', '--issuer', 'auth0'],
      ...['--state-dir', system.process.stateDir],
    ]);
    const { clientId } = JSON.parse(made) as { clientId: string };
    await system.control('DELETE', '/credentials', { clientId });
    const down = { target: 'token', match: { issuer: 'blackboard-learn' }, status: 503 };
    await system.control('POST', '/faults', down);

    const put = await latchkey(system, ['credentials', 'put', '--issuer', 'auth0'], { input: made });
    // The tokens of an hour are renewed, where the issuer answers.
    await system.advance(3_900);
    const statuses = await Promise.all(
      ['auth0', 'blackboard-learn', 'learning-platform'].map((issuer) =>
        latchkey(system, ['status', '--issuer', issuer]),
      ),
    );

    expect(put.exitCode).not.toBe(0);
    expect(put.stderr).toContain('the token endpoint answered 401 invalid_client');
    expect(statuses.map(({ exitCode }) => exitCode)).toEqual([0, 1, 0]);
    expect(statuses[1]!.stdout).toMatch(/^✗ critical {2}blackboard-learn production school$/m);
  });
});

/** The words of a printed command, as a shell reads them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}
