import {
  chooseDeployments,
  chooseTenant,
  pickTenant,
  pickToken,
  type TokenFlags,
} from '../../cli/choose-tenant';
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

const DEPLOYMENT_KEYS = [DEPLOYMENT_KEY, PRODUCTION];
const several = () =>
  systemOf([tenantOf('one'), tenantOf('two', ['api/read', 'api/write'])], DEPLOYMENT_KEYS);
const hundred = () => systemOf(Array.from({ length: 100 }, (_, index) => tenantOf(`tenant-${index}`)));
const chooseToken = (system: System, flags: TokenFlags) => pickToken(contextOf(system), flags);

describe('choosing a tenant or token', () => {
  it('needs no flags if only one matches', async () => {
    const system = systemOf([tenantOf('one')]);

    expect(chooseTenant(system, {}).tenant.tenantId).toBe('one');
    expect((await chooseToken(system, {})).token.scope).toBe('api/read');
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
    const failure = await failureOf(() => chooseTenant(several(), flags));

    expect(failure).toMatchObject({ exitCode: 2, message });
  });

  it('lists all matches by the flags in which they differ', async () => {
    const failure = await failureOf(() => chooseTenant(several(), {}));

    expect(failure.advice).toBe(
      [
        'Matches:',
        '  --environment staging --tenant one',
        '  --environment staging --tenant two',
        '  --environment production --tenant one',
        '  --environment production --tenant two',
      ].join('\n'),
    );
  });

  describe('at a terminal', () => {
    it('asks for what the flags leave open', async () => {
      const terminal = new FakeTerminal({ isInteractive: true, answers: ['production', 'two', 'api/write'] });

      const chosen = await pickToken(contextOf(several(), terminal), { interface: 'content' });

      expect(terminal.questions.map(({ question }) => question)).toEqual([
        'Platform environment',
        'Tenant',
        'Scope of the token',
      ]);
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

    it.each<[NamedFlags, Record<string, string>, string]>([
      [
        {},
        { LATCHKEY_ENVIRONMENT: 'live' },
        'LATCHKEY_ENVIRONMENT: found live; allowed: staging, production',
      ],
      [{}, { LATCHKEY_PLATFORM_REGION: 'global' }, 'LATCHKEY_PLATFORM_REGION: found global; allowed: mea'],
      [{ environment: 'production' }, { LATCHKEY_TENANT: 'one' }, 'LATCHKEY_TENANT: found one; allowed: two'],
      [
        { tenant: 'two' },
        { LATCHKEY_ENVIRONMENT: 'staging' },
        'LATCHKEY_ENVIRONMENT: found staging; allowed: production',
      ],
    ])('names the variable that fits nowhere: %j %j', async (flags, env, message) => {
      expect(await failureOf(() => choose(flags, env))).toMatchObject({ exitCode: 2, message });
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

  it.each<[object, [string, string[] | undefined][]]>([
    [
      {},
      [
        ['staging', undefined],
        ['production', undefined],
      ],
    ],
    [{ environment: 'production', tenant: 'two' }, [['production', ['two']]]],
  ])('returns all deployments, or the one that the flags name: %j', (flags, expected) => {
    const chosen = chooseDeployments(several(), flags);

    expect(chosen.map(({ deployment, tenantIds }) => [deployment.environment, tenantIds])).toEqual(expected);
  });

  it.each([
    [['eu-*'], ['eu-1', 'eu-2', 'eu-20']],
    [['eu-?'], ['eu-1', 'eu-2']],
    [
      ['me.1', 'eu-2*', 'eu-20'],
      ['eu-2', 'eu-20', 'me.1'],
    ],
    ['*', ['eu-1', 'eu-2', 'eu-20', 'me.1']],
  ])('returns the tenants that a pattern matches: %j', (tenant, expected) => {
    const system = systemOf(['eu-1', 'eu-2', 'eu-20', 'me.1'].map((tenantId) => tenantOf(tenantId)));

    expect(chooseDeployments(system, { tenant }).map(({ tenantIds }) => tenantIds)).toEqual([expected]);
  });

  it('refuses a pattern that matches no tenant, even beside one that does', async () => {
    const system = systemOf([tenantOf('eu-1'), tenantOf('me.1')]);

    const failure = await failureOf(() => chooseDeployments(system, { tenant: ['eu-*', 'm?-*'] }));

    expect(failure.message).toBe('--tenant: found m?-*; allowed: eu-1, me.1');
  });
});
