import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { chooseDeployments, chooseTenant } from '../../cli/choose-tenant';
import { openConfiguredSystem } from '../../cli/configured-system';
import { type TenantFlags } from '../../cli/command';
import { buildProgram } from '../../cli/program';
import { parseConfiguration } from '../../lib/options/load';
import { tenant, written } from '../support/lib/configuration';
import { type Synthesis, synthesisWith, synthesizeOnce, temporaryFolder } from '../support/lib/synthesis';

const value = {
  ...written({ tenants: [tenant('tenant-a'), tenant('tenant_b')], dashboard: true }),
  prefix: 'acme',
};
const synthesis = synthesizeOnce(parseConfiguration(value, 'test configuration'));

const outputsOf = (from: Synthesis, stack: string) =>
  Object.fromEntries(
    Object.entries((from.template(stack).Outputs ?? {}) as Record<string, { Value: unknown }>).map(
      ([id, { Value }]) => [id, Value],
    ),
  );

/** Parses a printed command and returns its flags. */
async function flagsOf(command: unknown): Promise<{ words: string; flags: TenantFlags }> {
  const [npx, latchkey, ...args] = String(command).split(' ');
  expect([npx, latchkey]).toEqual(['npx', 'latchkey']);
  let given: TenantFlags | undefined;
  const program = buildProgram(
    async (_, flags) => void (given = flags as TenantFlags),
    () => undefined,
  );
  await program.parseAsync(args, { from: 'user' });
  const words = args.filter((word) => !word.startsWith('-'));
  return { words: words.slice(0, 2).join(' '), flags: given! };
}

describe('the outputs of a deployment', () => {
  const outputs = outputsOf(synthesis, 'acme-staging-global');
  const folder = temporaryFolder();
  const system = () => {
    const config = join(folder, 'configuration.json');
    writeFileSync(config, JSON.stringify(value));
    const { signal: interrupted } = new AbortController();
    return openConfiguredSystem({ config, profile: undefined, workingDir: folder, interrupted });
  };

  it('say where its dashboard and parameters are', () => {
    const dashboard = synthesis.only('AWS::CloudWatch::Dashboard').Properties.DashboardName as string;

    expect(outputs).toMatchObject({
      DashboardUrl: `https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#dashboards/dashboard/${dashboard}`,
      ParameterPath: '/acme/staging/global/',
    });
    for (const { Name } of synthesis.properties('AWS::SSM::Parameter'))
      expect(Name).toMatch(/^\/acme\/staging\/global\//);
  });

  it.each([
    ['cn-north-1', 'https://console.amazonaws.cn/cloudwatch/home?region=cn-north-1#'],
    ['us-gov-west-1', 'https://console.amazonaws-us-gov.com/cloudwatch/home?region=us-gov-west-1#'],
  ])('lead to the console of %s', (region, url) => {
    const elsewhere = synthesisWith({ region, dashboard: true });

    expect(outputsOf(elsewhere, 'latchkey-staging-global').DashboardUrl).toContain(url);
  });

  it('have a command that checks the deployment', async () => {
    const { words, flags } = await flagsOf(outputs.CheckCommand);

    const [chosen] = chooseDeployments(system(), flags);

    expect(words).toMatch(/^doctor/);
    expect(chosen!.deployment.stackName).toBe('acme-staging-global');
  });

  it('of each tenant have the command that loads its credentials', async () => {
    const commands = synthesis
      .stackNames()
      .map((stack) => outputsOf(synthesis, stack).NextCommand)
      .filter((command) => command !== undefined);

    const chosen = await Promise.all(
      commands.map(async (command) => {
        const { words, flags } = await flagsOf(command);
        return [words, chooseTenant(system(), flags).tenant.tenantId];
      }),
    );

    expect(chosen).toEqual([
      ['credentials put', 'tenant-a'],
      ['credentials put', 'tenant_b'],
    ]);
  });

  it('do not suggest loading an adopted credential', () => {
    const clientCredentials =
      'arn:aws:secretsmanager:eu-west-1:222233334444:secret:latchkey/staging/global/tenant-a/client-credentials-AbCdEf';
    const adopting = synthesisWith({ tenants: [{ ...tenant('tenant-a'), adopt: { clientCredentials } }] });

    expect(outputsOf(adopting, 'latchkey-staging-global-tenant-a')).toEqual({});
  });
});
