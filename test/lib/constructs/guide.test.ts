import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Construct } from 'constructs';

import * as entry from '../../../lib/index';
import { parseConfiguration } from '../../../lib/options/load';
import { tenant, written } from '../../support/lib/configuration';
import { appsOn, runPageApp, typeErrorsIn } from '../../support/lib/page-apps';
import { type PlacedResource, type Synthesis, synthesize } from '../../support/lib/synthesis';

const FILE = 'docs/constructs.md';
const PAGE = readFileSync(join(__dirname, '../../..', FILE), 'utf8');
const APPS = appsOn(FILE);
const READERS = appsOn('docs/readers.md');
const WRONG = 'When a setting is wrong';

const run = (section: string): Synthesis =>
  runPageApp([...APPS, ...READERS].find((app) => app.section === section)!);
const byId = (resources: PlacedResource[]) =>
  Object.fromEntries(
    resources.map(({ stack, logicalId, ...resource }) => [`${stack} ${logicalId}`, resource]),
  );

it.each([
  [FILE, APPS],
  ['docs/readers.md', READERS],
])(
  '%s has apps that compile in a strict project',
  (_, apps) => {
    expect(typeErrorsIn(apps)).toBe('');
  },
  120_000,
);

it.each([
  ['In your own app', 'Service', ['lambda:InvokeFunction']],
  ['Readers in other accounts', 'Role', ['lambda:InvokeFunction']],
  ['With the Lambda extension, or the agent', 'Service', []],
  ['In ECS', 'Task', []],
  ['One right more for the agent and the libraries', 'Role', ['secretsmanager:DescribeSecret']],
])('grants under “%s” what reads there need, and nothing else', (section, role, more) => {
  const statements = run(section).statements(role);

  const actions = ['kms:Decrypt', ...more, 'secretsmanager:GetSecretValue'];
  expect(statements.map(({ Action }) => Action).sort()).toEqual(actions);
  expect(JSON.stringify(statements)).not.toContain('"*"');
});

describe(FILE, () => {
  it('grants a reader of another account what is in the account of the deployment', () => {
    for (const { Resource } of run('Readers in other accounts').statements('Role'))
      expect(JSON.stringify(Resource)).toContain(':111122223333:');
  });

  it('grants a caller of the restore API its tenant', () => {
    const statements = run('Restore, by roles of the account').statements('Service');

    expect(statements.map(({ Action }) => Action)).toEqual(['execute-api:Invoke']);
    expect(JSON.stringify(statements)).toContain('/v1/POST/tenants/eu-west-2_SchoolA/contents/*/restore');
  });

  it('has tenants whose stacks export and import nothing', () => {
    const { assembly } = run('Tenants in stacks of their own');
    const [deployment, ...tenants] = assembly.stacks;

    const templates = assembly.stacks.map(({ template }) => JSON.stringify(template));
    expect(templates.filter((text) => /Fn::ImportValue|"Export"/.test(text))).toEqual([]);
    expect(tenants.map(({ stackName }) => stackName)).toEqual(['learning-school-a', 'learning-school-b']);
    const needed = tenants.map(({ dependencies }) => dependencies.map(({ id }) => id));
    expect(needed).toEqual(tenants.map(() => expect.arrayContaining([deployment!.id]) as unknown));
  });

  it('lets a reader in another stack find the key by a parameter, without exports', () => {
    const synthesis = run('Readers in other stacks');

    const { Parameters } = synthesis.assembly.stacks[0]!.template as {
      Parameters: Record<string, { Type: string; Default: string }>;
    };
    const parameters = Object.values(Parameters).filter(({ Type }) => Type.includes('SSM'));
    expect(parameters.map(({ Default }) => Default)).toContain('/latchkey/staging/global/key-arn');
    expect(synthesis.resources().map(({ Type }) => Type)).toEqual(['AWS::IAM::Role', 'AWS::IAM::Policy']);
  });

  it('reaches every resource with tags, boundary, removal policy and overrides', () => {
    const synthesis = run('Escape hatches');

    const roles = synthesis
      .resources('AWS::IAM::Role')
      .filter(({ logicalId }) => !logicalId.startsWith('LatchkeyApiGatewayLogging'));
    const functions = synthesis.properties('AWS::Lambda::Function');
    expect(roles.length).toBeGreaterThan(5);
    expect(roles.filter(({ Properties }) => Properties.PermissionsBoundary === undefined)).toEqual([]);
    expect(functions.length).toBeGreaterThan(5);
    const team = { Key: 'team', Value: 'learning' };
    expect(functions).toEqual(
      functions.map(
        () => expect.objectContaining({ TracingConfig: { Mode: 'Active' }, Tags: [team] }) as unknown,
      ),
    );
    expect(synthesis.only('AWS::SQS::Queue').Properties).toMatchObject({ MessageRetentionPeriod: 86_400 });
    expect(synthesis.only('AWS::KMS::Key', 'LatchkeyKey')).toMatchObject({
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
    });
  });

  it('has a deployment of parts only: no alarms and no restore API', () => {
    const types = new Set(
      run('The parts')
        .resources()
        .map(({ Type }) => Type),
    );

    expect(types).toContain('AWS::SecretsManager::Secret');
    expect([...types].filter((type) => /CloudWatch|ApiGateway|SNS/.test(type))).toEqual([]);
  });

  it('names every construct of the package', () => {
    const classes = Object.entries(entry).filter(
      ([, value]) => typeof value === 'function' && value.prototype instanceof Construct,
    );

    expect(classes.length).toBeGreaterThan(10);
    expect(classes.map(([name]) => name).filter((name) => !PAGE.includes(`\`${name}`))).toEqual([]);
  });

  it('shows the faults of wrong settings as a synthesis reports them', () => {
    const [, shown] = /^```text\n([^]*?)\n```$/m.exec(PAGE.slice(PAGE.indexOf(`## ${WRONG}`)))!;

    expect(() => run(WRONG)).toThrow(new Error(shown));
  });

  it('has an app that keeps the configuration file', () => {
    const deployments = run('Keep the configuration file').stackNames();

    expect(deployments).toEqual(
      expect.arrayContaining(['latchkey-staging-global', 'latchkey-production-global']),
    );
  });

  it('takes over every resource of the configuration file under its id', () => {
    const addresses = {
      contentBaseUrl: 'https://api.staging.platform.example/rest/v1',
      contentTokenBaseUrl: 'https://auth.staging.platform.example',
    };
    const settings = { account: '111122223333', tenants: [tenant('eu-west-2_StagingAb')] };
    const file = { ...written(settings), endpoints: { staging: { global: addresses } } };
    const configured = synthesize(parseConfiguration(file, 'the file'));
    const before = byId(configured.resources().filter(({ stack }) => !stack.endsWith('api-gateway')));

    const after = byId(run('Move from the configuration file').resources());

    expect(Object.keys(before).length).toBeGreaterThan(50);
    expect(after).toEqual(before);
  });
});
