import { latchkey, runLatchkey } from './support/command';
import { RunningSystem } from './support/running-system';
import { type LocalConfiguration } from './support/synthesized-app';

/** Deployments of two other issuers, at the sandbox: without regions, and one with a token without a scope. */
const OTHERS = [
  {
    issuer: 'auth0',
    environment: 'production',
    tokenBaseUrl: 'https://127.0.0.1:8443/issuers/auth0',
    tenants: [
      {
        tenantId: 'acme',
        parameters: { host: 'acme.eu.auth0.com', audience: 'https://api.example.com' },
        tokens: [{ scope: 'read:users update:users' }],
      },
    ],
  },
  {
    issuer: 'blackboard-learn',
    environment: 'production',
    tokenBaseUrl: 'https://127.0.0.1:8443/issuers/blackboard-learn',
    tenants: [{ tenantId: 'school', parameters: { host: 'school.blackboard.com' }, tokens: [{}] }],
  },
] as unknown as LocalConfiguration['deployments'];

describe('the learning platform and other issuers in one configuration', () => {
  let system: RunningSystem;
  beforeAll(async () => {
    system = await RunningSystem.startConfigured((configuration) => {
      configuration.deployments = [...configuration.deployments.slice(0, 1), ...OTHERS];
    });
  }, 120_000);
  afterAll(() => system.stop());

  it('has the tokens of all, and shows each deployment by what it has', async () => {
    const { stdout, exitCode } = await latchkey(system, ['status']);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('staging global  latchkey-staging-global\n');
    expect(stdout).toContain('auth0 production  latchkey-auth0-production\n');
    expect(stdout).toMatch(/^ {2}acme .* – +1 of 1, 23 hours$/m);
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
    expect(lines).toHaveLength(7);
    expect(shown.map((each) => each.exitCode)).toEqual(lines.map(() => 0));
    expect(
      new Set(shown.map(({ stdout }) => (JSON.parse(stdout) as { secretId: string }).secretId)).size,
    ).toBe(7);
  });

  it.each(OTHERS.map((each) => (each as unknown as { issuer: string }).issuer))(
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
});

/** The words of a printed command, as a shell reads them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}
