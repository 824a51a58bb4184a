import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { App, Stack, Validations } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks } from 'cdk-nag';

import { parseConfiguration } from '../../lib/options/load';
import { type Configuration } from '../../lib/options/schema';
import { LatchkeyStage } from '../../lib/stacks/latchkey-stage';
import { synthesizeWithCosts } from '../../lib/stacks/synthesize-with-costs';
import { configuration, tenant, written } from '../support/lib/configuration';
import { Synthesis, temporaryApp, temporaryFolder } from '../support/lib/synthesis';

const STAGING = { account: '222233334444', region: 'eu-west-1' };
const PRODUCTION = { account: '555566667777', region: 'eu-west-1' };

/** A configuration of staging and production that leaves account and region to the stages. */
function both(quotas?: Configuration['quotas']): Configuration {
  const [staging] = written({ account: undefined, region: undefined }).deployments;
  const production = { ...staging!, environment: 'production' as const, tenants: [tenant('tenant-live')] };
  return parseConfiguration(
    { ...written(), quotas, deployments: [staging, production] },
    'test configuration',
  );
}

function stagesIn(app: App, value: Configuration, production = PRODUCTION): LatchkeyStage[] {
  return [
    new LatchkeyStage(app, 'Staging', { env: STAGING, configuration: value, environment: 'staging' }),
    new LatchkeyStage(app, 'Production', {
      env: production,
      configuration: value,
      environment: 'production',
    }),
  ];
}

/** The lines that a synthesis prints. */
function printedBy(stagesOf: (app: App) => LatchkeyStage[], app: App = temporaryApp()): string {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const stages = stagesOf(app).map((stage) => ({ stage, configuration: stage.configuration }));
    synthesizeWithCosts(app, stages, 'stages.json');
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

describe('a LatchkeyStage', () => {
  it('has the stacks of its environment, in its own account', () => {
    const placed = stagesIn(temporaryApp(), both()).map((stage) =>
      new Synthesis(stage.synth()).assembly.stacks
        .map(({ stackName, environment }) => `${environment.account} ${stackName}`)
        .sort(),
    );

    expect(placed).toEqual([
      ['latchkey-api-gateway', 'latchkey-staging-global', 'latchkey-staging-global-tenant-a'].map(
        (name) => `222233334444 ${name}`,
      ),
      ['latchkey-api-gateway', 'latchkey-production-global', 'latchkey-production-global-tenant-live'].map(
        (name) => `555566667777 ${name}`,
      ),
    ]);
  });

  it('refuses an environment without deployments', () => {
    const props = { configuration: configuration(), environment: 'production' } as const;

    expect(() => new LatchkeyStage(temporaryApp(), 'Live', props)).toThrow(
      'the configuration of the stage Live cannot be used:\n' +
        '  deployments: found none of production; allowed: at least one, or another environment for the stage',
    );
  });

  it('is checked by the plugins of the app', () => {
    const app = temporaryApp();
    const [stage] = stagesIn(app, both());
    new CfnQueue(new Stack(stage, 'insecure'), 'Queue');
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const before = process.exitCode;
    try {
      app.synth();
    } catch {
      // The report has the reason.
    } finally {
      process.exitCode = before;
    }

    const { pluginReports } = JSON.parse(
      readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'),
    ) as { pluginReports: { violations: { violatingConstructs: { constructPath: string }[] }[] }[] };
    const paths = pluginReports.flatMap(({ violations }) =>
      violations.flatMap((each) => each.violatingConstructs.map(({ constructPath }) => constructPath)),
    );
    expect([...new Set(paths)]).toEqual(['Staging/insecure/Queue']);
  });
});

describe('the costs of stages', () => {
  it('are printed for all deployments together, with the quotas of each account', () => {
    const text = printedBy((app) => stagesIn(app, both()));

    expect(text).toMatch(/^staging global: 1 tenant, 1 token\n[^]*\nproduction global: 1 tenant, 1 token\n/);
    expect(text).toContain('\n2 deployments, list prices of us-east-1');
    expect(text.match(/Quotas .*/g)).toEqual(
      [STAGING, PRODUCTION].map(({ account }) => `Quotas in eu-west-1 of account ${account}`),
    );
    expect(text.match(/3 of 2,000 stacks/g)).toHaveLength(2);
  });

  it('add up quotas in one account, which has one logging role', () => {
    const text = printedBy((app) => stagesIn(app, both(), STAGING));

    expect(text.match(/Quotas .*/g)).toEqual(['Quotas in eu-west-1 of account 222233334444']);
    expect(text).toContain('5 of 2,000 stacks');
  });

  it('fail the synthesis if a quota is too small', () => {
    expect(() => printedBy((app) => stagesIn(app, both({ alarms: 15 })))).toThrow(
      /^stages\.json cannot be used:\n {2}quotas\.alarms: found 16 alarms in eu-west-1 of account 222233334444; .*\n {2}quotas\.alarms: found 16 alarms in eu-west-1 of account 555566667777; /,
    );
  });

  it('are not printed for a command that deploys nothing', () => {
    const listing = new App({ outdir: temporaryFolder(), context: { [BUNDLING_STACKS]: [] } });

    expect(printedBy((app) => stagesIn(app, both({ alarms: 15 })), listing)).toBe('');
  });
});

describe('a stage without an account', () => {
  const notice =
    '! No account is set for the stage Staging, so it is that of your AWS credentials, in a pipeline those of the build\n';
  const printedWith = (value: Configuration, env?: { account?: string; region?: string }) => {
    const props = { env, configuration: value, environment: 'staging' };
    return printedBy((app) => [new LatchkeyStage(app, 'Staging', props)]);
  };

  it('is reported', () => {
    expect(printedWith(both(), { region: 'eu-west-1' })).toContain(notice);
  });

  it('is not reported if stage or configuration have one', () => {
    expect(printedWith(both(), STAGING)).not.toContain('!');
    expect(printedWith(configuration())).not.toContain('!');
  });
});
