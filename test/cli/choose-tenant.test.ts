import { chooseDeployments, chooseTenant, pickTenant, pickToken } from '../../cli/choose-tenant';
import { type CommandFlags } from '../../cli/command';
import { tenantFlagsText } from '../../cli/command-text';
import { type System } from '../../cli/system';
import { withVariables } from '../../cli/variables';
import { type DeploymentKey } from '../../core/tokens/token-key';
import { FakeTerminal } from './support/fake-terminal';
import { DEPLOYMENT_KEY, failureOf, OperatedSystem, tenantOf } from './support/operated-system';

const PRODUCTION: DeploymentKey = { environment: 'production', platformRegion: 'mea' };

function systemOf(
  tenants: ReturnType<typeof tenantOf>[],
  deploymentKeys: DeploymentKey[] = [DEPLOYMENT_KEY],
): System {
  const operated = new OperatedSystem();
  operated.tenants = tenants;
  return operated.system(deploymentKeys);
}

function contextOf(system: System, terminal = new FakeTerminal()) {
  return new OperatedSystem().context(terminal, system);
}

const several = () =>
  systemOf([tenantOf('one'), tenantOf('two', ['api/read', 'api/write'])], [DEPLOYMENT_KEY, PRODUCTION]);
const hundred = () => systemOf(Array.from({ length: 100 }, (_, index) => tenantOf(`tenant-${index}`)));

describe('choosing a tenant or token', () => {
  it('needs no flags if only one matches', async () => {
    const system = systemOf([tenantOf('one')]);

    expect(chooseTenant(system, {}).tenant.tenantId).toBe('one');
    expect((await pickToken(contextOf(system), {})).token.scope).toBe('api/read');
  });

  it.each([
    [{}, '--environment: found nothing; allowed: staging, production'],
    [{ environment: 'staging' }, '--tenant: found nothing; allowed: one, two'],
    [{ environment: 'staging', tenant: 'three' }, '--tenant: found three; allowed: one, two'],
    [{ platformRegion: 'global' }, '--platform-region: found global; allowed: mea'],
    [{ environment: 'staging', tenant: '' }, '--tenant: found an empty text; allowed: one, two'],
    [
      { environment: 'staging', tenant: 'a secret, by mistake' },
      '--tenant: found something else; allowed: one, two',
    ],
  ])('lists the matches if the flags leave none or several: %j', async (flags, message) => {
    expect(await failureOf(() => chooseTenant(several(), flags))).toMatchObject({ exitCode: 2, message });
  });

  it('lists all matches by the flags in which they differ', async () => {
    const { advice } = await failureOf(() => chooseTenant(several(), {}));

    expect(advice!.split('\n')).toEqual([
      'Matches:',
      '  --environment staging --tenant one',
      '  --environment staging --tenant two',
      '  --environment production --tenant one',
      '  --environment production --tenant two',
    ]);
  });

  describe('at a terminal', () => {
    it('asks for what the flags leave open', async () => {
      const terminal = new FakeTerminal({ isInteractive: true, answers: ['production', 'two', 'api/write'] });

      const chosen = await pickToken(contextOf(several(), terminal), { interface: 'content' });

      const asked = terminal.questions.map(({ question }) => question);
      expect(asked).toEqual(['Platform environment', 'Tenant', 'Scope of the token']);
      expect(tenantFlagsText(chosen, chosen.token)).toBe(
        '--environment production --platform-region mea --tenant two --interface content --scope api/write --local',
      );
    });

    it('asks nothing that only one answer fits', async () => {
      const terminal = new FakeTerminal({ isInteractive: true });

      await pickTenant(contextOf(several(), terminal), { environment: 'staging', tenant: 'one' });

      expect(terminal.questions).toEqual([]);
    });
  });

  describe('with environment variables', () => {
    const system = () => ({
      ...several(),
      deployments: [
        { ...systemOf([tenantOf('one')]).deployments[0]!, ...DEPLOYMENT_KEY },
        { ...systemOf([tenantOf('two')]).deployments[0]!, ...PRODUCTION },
      ],
    });
    type NamedFlags = CommandFlags<'environment' | 'platformRegion' | 'tenant' | 'config'>;
    const choose = (flags: NamedFlags, env: Record<string, string>) =>
      chooseTenant(system(), withVariables(flags, env));

    it.each<[NamedFlags, Record<string, string>, string]>([
      [{}, { LATCHKEY_ENVIRONMENT: 'production' }, 'two'],
      [{}, { LATCHKEY_TENANT: 'one', LATCHKEY_PLATFORM_REGION: 'mea' }, 'one'],
      [{ environment: 'staging' }, { LATCHKEY_ENVIRONMENT: 'production', LATCHKEY_TENANT: '' }, 'one'],
    ])('takes what they name where no flag does: %j %j', (flags, env, tenantId) => {
      expect(choose(flags, env).tenant.tenantId).toBe(tenantId);
    });

    it.each<[NamedFlags, string, string, string]>([
      [{}, 'LATCHKEY_ENVIRONMENT', 'live', 'staging, production'],
      [{}, 'LATCHKEY_PLATFORM_REGION', 'global', 'mea'],
      [{ environment: 'production' }, 'LATCHKEY_TENANT', 'one', 'two'],
      [{ tenant: 'two' }, 'LATCHKEY_ENVIRONMENT', 'staging', 'production'],
    ])('names the variable that fits nowhere: %j %s=%s', async (flags, name, value, allowed) => {
      expect(await failureOf(() => choose(flags, { [name]: value }))).toMatchObject({
        exitCode: 2,
        message: `${name}: found ${value}; allowed: ${allowed}`,
      });
    });

    it('takes the configuration from LATCHKEY_CONFIG', () => {
      const env = { LATCHKEY_CONFIG: 'a.json' };

      expect(withVariables<NamedFlags>({}, env).config).toBe('a.json');
      expect(withVariables<NamedFlags>({ config: 'b.json' }, env).config).toBe('b.json');
      expect(withVariables<NamedFlags>({}, { LATCHKEY_CONFIG: '' }).config).toBeUndefined();
    });
  });

  it('lists at most 12 tenants', async () => {
    const failure = await failureOf(() => chooseTenant(hundred(), {}));

    expect(failure.message).toMatch(/tenant-11 and 88 more$/);
    expect(failure.advice).toMatch(/tenant-11\n {2}and 88 more$/);
  });

  it.each(['TENANT-57', 'tennant-57', '*nant-57?'])(
    'lists those first that are most like %s',
    async (tenant) => {
      const failure = await failureOf(() => chooseDeployments(hundred(), { tenant }));

      expect(failure.message).toMatch(/allowed: tenant-57, .* and 88 more$/);
    },
  );

  it('returns all deployments, or the one that the flags name', () => {
    const [staging, production] = [{ environment: 'staging' }, { environment: 'production' }];

    expect(chooseDeployments(several(), {})).toMatchObject([
      { deployment: staging, tenantIds: undefined },
      { deployment: production, tenantIds: undefined },
    ]);
    expect(chooseDeployments(several(), { ...production, tenant: 'two' })).toMatchObject([
      { deployment: production, tenantIds: ['two'] },
    ]);
  });

  it.each([
    ['eu-*', 'eu-1 eu-2 eu-20'],
    ['eu-?', 'eu-1 eu-2'],
    ['me.1 eu-2* eu-20', 'eu-2 eu-20 me.1'],
    ['*', 'eu-1 eu-2 eu-20 me.1 me-1'],
  ])('returns the tenants that the patterns %s match: %s', (patterns, expected) => {
    const system = systemOf(['eu-1', 'eu-2', 'eu-20', 'me.1', 'me-1'].map((tenantId) => tenantOf(tenantId)));

    expect(chooseDeployments(system, { tenant: patterns.split(' ') })).toMatchObject([
      { tenantIds: expected.split(' ') },
    ]);
  });

  it('refuses a pattern that matches no tenant, even beside one that does', async () => {
    const system = systemOf([tenantOf('eu-1'), tenantOf('me.1')]);

    const failure = await failureOf(() => chooseDeployments(system, { tenant: ['eu-*', 'm?-*'] }));

    expect(failure.message).toBe('--tenant: found m?-*; allowed: eu-1, me.1');
  });
});
