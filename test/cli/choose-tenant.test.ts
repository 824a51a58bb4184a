import { chooseDeployments, chooseTenant, chooseToken } from '../../cli/choose-tenant';
import { tenantFlagsText } from '../../cli/command-text';
import { type System } from '../../cli/system';
import { type DeploymentKey } from '../../contract/token-key';
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

describe('choosing a tenant or token', () => {
  it('needs no flags if only one matches', () => {
    const system = systemOf([tenantOf('one')]);

    expect(chooseTenant(system, {}).tenant.tenantId).toBe('one');
    expect(chooseToken(system, {}).token.scope).toBe('api/read');
  });

  it('returns the one that the flags name', () => {
    const system = systemOf(
      [tenantOf('one'), tenantOf('two', ['api/read', 'api/write'])],
      [DEPLOYMENT_KEY, PRODUCTION],
    );

    const chosen = chooseToken(system, { environment: 'production', tenant: 'two', scope: 'api/write' });

    expect(tenantFlagsText(chosen, chosen.token)).toBe(
      '--environment production --platform-region mea --tenant two --interface content --scope api/write --local',
    );
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
    const system = systemOf([tenantOf('one'), tenantOf('two')], [DEPLOYMENT_KEY, PRODUCTION]);

    const failure = await failureOf(() => chooseTenant(system, flags));

    expect(failure).toMatchObject({ exitCode: 2, message });
  });

  it('lists all matches by the flags in which they differ', async () => {
    const system = systemOf([tenantOf('one'), tenantOf('two')], [DEPLOYMENT_KEY, PRODUCTION]);

    const failures = await Promise.all(
      [{}, { environment: 'staging' }].map((flags) => failureOf(() => chooseTenant(system, flags))),
    );

    expect(failures.map(({ advice }) => advice)).toEqual([
      [
        'Matches:',
        '  --environment staging --tenant one',
        '  --environment staging --tenant two',
        '  --environment production --tenant one',
        '  --environment production --tenant two',
      ].join('\n'),
      'Matches:\n  --tenant one\n  --tenant two',
    ]);
  });

  it('asks for the scope if a tenant has several tokens', async () => {
    const system = systemOf([tenantOf('one', ['api/read', 'api/write'])]);

    const failure = await failureOf(() => chooseToken(system, { interface: 'content' }));

    expect(failure.message).toBe('--scope: found nothing; allowed: api/read, api/write');
  });

  it('lists at most 12 tenants', async () => {
    const system = systemOf(Array.from({ length: 100 }, (_, index) => tenantOf(`tenant-${index}`)));

    const failure = await failureOf(() => chooseTenant(system, {}));

    expect(failure.message).toMatch(/tenant-11 and 88 more$/);
    expect(failure.advice).toMatch(/tenant-11\n {2}and 88 more$/);
  });

  it('returns all deployments if the flags name none', () => {
    const system = systemOf([tenantOf('one'), tenantOf('two')], [DEPLOYMENT_KEY, PRODUCTION]);

    const deployments = chooseDeployments(system, {});
    const filtered = chooseDeployments(system, { environment: 'production', tenant: 'two' });

    expect(deployments.map(({ deployment, tenantId }) => [deployment.environment, tenantId])).toEqual([
      ['staging', undefined],
      ['production', undefined],
    ]);
    expect(filtered.map(({ deployment, tenantId }) => [deployment.environment, tenantId])).toEqual([
      ['production', 'two'],
    ]);
  });
});
