import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type App, CfnResource, NestedStack, Stack, Stage, Validations } from 'aws-cdk-lib';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, NIST80053R5Checks, ServerlessChecks } from 'cdk-nag';
import { type IConstruct } from 'constructs';

import { loadConfiguration } from '../../lib/options/load';
import { type Configuration } from '../../lib/options/schema';
import { addStacks } from '../../lib/stacks/add-stacks';
import { ALL_TOKENS, configuration, EVERY_OPTION, tenant } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { latchkeyIn } from '../support/lib/learning';
import { temporaryApp } from '../support/lib/synthesis';

const LOCAL = loadConfiguration(join(__dirname, '../../config/local.json'));
const SECRET = 'arn:aws:secretsmanager:eu-west-1:222233334444:secret:latchkey/staging/global/tenant-a';

interface Report {
  violations: { ruleName: string }[];
  suppressedViolations: { ruleName: string; acknowledgedAt: string }[];
}

/** As bin/app.ts checks them. */
const PACKS = ['AwsSolutions', 'NIST.800.53.R5', 'Serverless'];

/** The packs' findings at synthesis, set up as in bin/app.ts. */
function check(app: App): Report {
  Validations.of(app).addPlugins(
    new AwsSolutionsChecks(app),
    new NIST80053R5Checks(app),
    new ServerlessChecks(app),
  );
  try {
    app.synth();
  } catch {
    // The report has the reason.
  }
  const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')) as {
    pluginReports: (Report & { pluginName: string })[];
  };
  const ofPacks = PACKS.map((pack) => pluginReports.find(({ pluginName }) => pluginName === pack)!);
  return {
    violations: ofPacks.flatMap(({ violations }) => violations),
    suppressedViolations: ofPacks.flatMap(({ suppressedViolations }) => suppressedViolations),
  };
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

describe('the packs of cdk-nag', () => {
  it.each<[string, Configuration]>([
    ['local.json', LOCAL],
    [
      'almost every option',
      configuration({
        ...EVERY_OPTION,
        credentials: { rotationSchedule: 'none' },
        restoreApi: {
          ...EDGES.usagePlan,
          ...EDGES.webAclArn,
          ...EDGES.domainWithZone,
          auditRetentionDays: 365,
        },
      }),
    ],
    [
      'the options that exclude those',
      configuration({
        alarms: { emails: ['team@example.org'] },
        auditSecrets: true,
        logsKmsKeyArn: 'deployment',
        tracing: 'xray',
        vpc: EVERY_OPTION.vpc,
        restoreApi: { ...EDGES.vpcEndpointIds, ...EDGES.ratePerIp, auth: 'iam' },
        permissionsBoundaryArn: 'arn:aws:iam::222233334444:policy/boundary',
        tags: { team: 'learning' },
      }),
    ],
    ...Object.entries(EDGES).map(([name, restoreApi]): [string, Configuration] => [
      name,
      configuration({ restoreApi }),
    ]),
    [
      'OpenTelemetry without X-Ray',
      configuration({
        tracing: {
          opentelemetry: { layerArn: 'arn:aws:lambda:eu-west-1:111122223333:layer:otel:1', xray: false },
        },
      }),
    ],
    ['no account and region', configuration({ account: undefined, region: undefined })],
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

  it.each<[string, (stack: Stack) => Stack]>([
    ['of its own', (stack) => stack],
    ['nested in another', (stack) => new NestedStack(stack, 'Nested')],
  ])('report nothing in a foreign app with a stack %s', (_, place) => {
    const app = temporaryApp();
    const stack = place(new Stack(app, 'learning'));
    latchkeyIn(stack, { tenants: [tenant('tenant-a', ALL_TOKENS)], auditSecrets: true });

    expect(violations(app)).toEqual([]);
  });

  it('each report an insecure stack', () => {
    const app = temporaryApp();
    const stack = new Stack(app, 'stack');
    new CfnQueue(stack, 'Queue');
    new CfnLogGroup(stack, 'Logs');

    const found = violations(app);

    for (const pack of PACKS) expect(found).toContainEqual(expect.stringMatching(`^${pack}-`));
  });
});

describe('acknowledgements', () => {
  const app = appOf(LOCAL);
  const report = check(app);
  const all = acknowledgements(app);

  it('are on single resources, never on a stack or the app', () => {
    expect(all.length).toBeGreaterThan(5);
    for (const { on } of all) {
      expect(Stack.isStack(on) || Stage.isStage(on)).toBe(false);
      const resources = on.node.findAll().filter((construct) => CfnResource.isCfnResource(construct));
      expect([on.node.path, resources.length]).toEqual([on.node.path, 1]);
    }
  });

  it('have a sentence as their reason', () => {
    all.forEach(({ reason }) => expect(reason).toMatch(/^\S.{20,}[^.]\.$/));
  });

  it('name one rule each, and the pattern for rules about wildcards', () => {
    all.forEach(({ rule }) =>
      expect(rule).toMatch(
        /^(?!.*-IAM[45]$)(AwsSolutions|NIST\.800\.53\.R5|Serverless)::\1-[A-Za-z0-9]+$|^AwsSolutions::AwsSolutions-IAM[45]\[.+\]$/,
      ),
    );
  });

  it('are all necessary', () => {
    const needed = new Set(
      report.suppressedViolations.map(({ ruleName, acknowledgedAt }) => `${ruleName} on ${acknowledgedAt}`),
    );
    const unnecessary = all.filter(({ on, rule }) => {
      const name = rule.replace(/^.*?::/, '');
      return !on.node.findAll().some(({ node }) => needed.has(`${name} on ${node.path}`));
    });

    expect(unnecessary.map(({ on, rule }) => `${rule} on ${on.node.path}`)).toEqual([]);
  });

  it('do not mention the web ACL if there is one', () => {
    const guarded = acknowledgements(appOf(configuration({ restoreApi: EDGES.webAclArn })));

    const isAboutWebAcl = ({ rule }: Acknowledgement) => /APIG3$|AssociatedWithWAF$/.test(rule);
    expect(all.filter(isAboutWebAcl).length).toBeGreaterThan(0);
    expect(guarded.filter(isAboutWebAcl)).toEqual([]);
  });
});
