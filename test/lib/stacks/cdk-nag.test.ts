import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type App, CfnResource, Stack, Stage, Validations } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { type IConstruct } from 'constructs';

import { loadConfiguration } from '../../../lib/config/load';
import { type Configuration } from '../../../lib/config/schema';
import { addStacks } from '../../../lib/stacks/add-stacks';
import { ALL_TOKENS, configuration, tenant } from '../../support/lib/configuration';
import { EDGES } from '../../support/lib/edge';
import { temporaryApp } from '../../support/lib/synthesis';

const LOCAL = loadConfiguration(join(__dirname, '../../../config/local.json'));
const VPC = { vpcId: 'vpc-0a', subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'] };
const SECRET = 'arn:aws:secretsmanager:eu-west-1:222233334444:secret:latchkey/staging/global/tenant-a';

interface Report {
  violations: { ruleName: string; severity: string }[];
  suppressedViolations: { ruleName: string; acknowledgedAt: string; reason: string }[];
}

/** The pack's findings at synthesis, set up as in bin/app.ts. */
function check(app: App): Report {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  try {
    app.synth();
  } catch {
    // The report has the reason.
  }
  const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')) as {
    pluginReports: (Report & { pluginName: string })[];
  };
  return pluginReports.find(({ pluginName }) => pluginName === 'AwsSolutions')!;
}

function appOf(value: Configuration): App {
  const app = temporaryApp();
  addStacks(app, value);
  return app;
}

const violations = (app: App): string[] => check(app).violations.map(({ ruleName }) => ruleName);

interface Acknowledgement {
  on: IConstruct;
  rule: string;
  reason: string;
}

function acknowledgements(app: IConstruct): Acknowledgement[] {
  return app.node.findAll().flatMap((on) =>
    on.node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([rule, reason]) => ({ on, rule, reason })),
  );
}

describe('cdk-nag’s AwsSolutions pack', () => {
  it.each([
    ['local.json', LOCAL],
    ['every token', configuration({ tenants: [tenant('tenant-a', ALL_TOKENS)] })],
    ['no rotation schedule', configuration({ credentials: { rotationSchedule: 'none' } })],
    ['iam mode', configuration({ restoreApi: { auth: 'iam' } })],
    ...Object.entries(EDGES).map(([name, restoreApi]): [string, Configuration] => [
      name,
      configuration({ restoreApi }),
    ]),
    ['a VPC', configuration({ vpc: VPC })],
    ['no account and region', configuration({ account: undefined, region: undefined })],
    ['a key of one’s own', configuration({ kmsKeyArn: 'arn:aws:kms:eu-west-1:222233334444:key/0f0f' })],
    [
      'reader accounts',
      configuration({
        tenants: [
          tenant('a', [{ interface: 'content', scope: 'api/read', readerAccounts: ['333344445555'] }]),
        ],
      }),
    ],
    [
      'adopted secrets',
      configuration({
        tenants: [
          { ...tenant('tenant-a'), adopt: { clientCredentials: `${SECRET}/client-credentials-AbCdEf` } },
        ],
      }),
    ],
  ])('reports nothing with %s', (_, value) => {
    expect(violations(appOf(value))).toEqual([]);
  });

  it('reports an insecure queue', () => {
    const app = temporaryApp();
    new CfnQueue(new Stack(app, 'stack'), 'Queue');

    expect(violations(app).length).toBeGreaterThan(0);
  });
});

describe('acknowledgements', () => {
  const app = appOf(LOCAL);
  const report = check(app);
  const all = acknowledgements(app);

  it('exist', () => expect(all.length).toBeGreaterThan(5));

  it('are on single resources, never on a stack or the app', () => {
    for (const { on } of all) {
      expect(Stack.isStack(on) || Stage.isStage(on)).toBe(false);
      const resources = on.node.findAll().filter((construct) => CfnResource.isCfnResource(construct));
      expect({ path: on.node.path, resources: resources.length }).toEqual({
        path: on.node.path,
        resources: 1,
      });
    }
  });

  it('have a sentence as their reason', () => {
    all.forEach(({ reason }) => expect(reason).toMatch(/^\S.{20,}[^.]\.$/));
  });

  it('name one rule each, and the pattern for rules about wildcards', () => {
    all.forEach(({ rule }) =>
      expect(rule).toMatch(
        /^AwsSolutions::AwsSolutions-(?!IAM[45])[A-Z0-9]+$|^AwsSolutions::AwsSolutions-IAM[45]\[.+\]$/,
      ),
    );
  });

  it('are all necessary', () => {
    const needed = new Set(
      report.suppressedViolations.map(({ ruleName, acknowledgedAt }) => `${ruleName} on ${acknowledgedAt}`),
    );
    const paths = (on: IConstruct) => on.node.findAll().map(({ node }) => node.path);

    for (const { on, rule } of all) {
      const name = rule.replace('AwsSolutions::', '');
      const isNeeded = paths(on).some((path) => needed.has(`${name} on ${path}`));
      expect({ rule, path: on.node.path, isNeeded }).toEqual({ rule, path: on.node.path, isNeeded: true });
    }
  });

  it('do not mention the web ACL if there is one', () => {
    const guarded = acknowledgements(appOf(configuration({ restoreApi: EDGES.webAclArn })));

    expect(all.some(({ rule }) => rule.endsWith('APIG3'))).toBe(true);
    expect(guarded.filter(({ rule }) => rule.endsWith('APIG3'))).toEqual([]);
  });

  it('are at most 12 distinct pairs of rule and reason', () => {
    const pairs = new Set(all.map(({ rule, reason }) => `${rule.replace(/\[.*/, '')}: ${reason}`));

    expect(pairs.size).toBeLessThanOrEqual(12);
  });
});
