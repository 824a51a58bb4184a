import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Construct } from 'constructs';

import * as entry from '../../../lib/index';
import { parseConfiguration } from '../../../lib/options/load';
import { appsOn, type PageApp, runPageApp, typeErrorsIn } from '../../support/lib/page-apps';
import { type PlacedResource, type Synthesis, synthesize } from '../../support/lib/synthesis';

const FILE = 'docs/constructs.md';
const PAGE = readFileSync(join(__dirname, '../../..', FILE), 'utf8');
const APPS = appsOn(FILE);
const WRONG = 'When a setting is wrong';

interface Policy {
  PolicyDocument: { Statement: { Action: string | string[]; Resource: unknown }[] };
}

const appIn = (section: string): PageApp => APPS.find((app) => app.section === section)!;
const run = (section: string): Synthesis => runPageApp(appIn(section));
/** The statements of the policies of the roles whose logical id has this beginning. */
const statementsOf = (synthesis: Synthesis, role: string) =>
  synthesis
    .resources('AWS::IAM::Policy')
    .filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`{"Ref":"${role}`))
    .flatMap(({ Properties }) => (Properties as unknown as Policy).PolicyDocument.Statement);
const byId = (resources: PlacedResource[]) =>
  Object.fromEntries(
    resources.map(({ stack, logicalId, ...resource }) => [`${stack} ${logicalId}`, resource]),
  );

describe(FILE, () => {
  it('has apps that compile in a strict project', () => {
    expect(typeErrorsIn(APPS)).toBe('');
  }, 120_000);

  it('grants a service of the same stack its token, and nothing else', () => {
    const synthesis = run('In your own app');

    const secretNames = synthesis.properties('AWS::SecretsManager::Secret').map(({ Name }) => Name);
    const tenant = 'latchkey/staging/global/eu-west-2_StagingAb';
    expect(secretNames.sort()).toEqual(
      ['api-key', 'client-credentials', 'token/content/api-read'].map((name) => `${tenant}/${name}`),
    );
    const statements = statementsOf(synthesis, 'Service');
    expect(statements.map(({ Action }) => Action).sort()).toEqual([
      'kms:Decrypt',
      'lambda:InvokeFunction',
      'secretsmanager:GetSecretValue',
    ]);
    expect(JSON.stringify(statements)).not.toContain('*');
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

  it('grants a reader of another account what is in the account of the deployment', () => {
    const statements = statementsOf(run('Readers in other accounts'), 'Role');

    expect(statements.map(({ Action }) => Action).sort()).toEqual([
      'kms:Decrypt',
      'lambda:InvokeFunction',
      'secretsmanager:GetSecretValue',
    ]);
    const foreign = statements.filter(({ Resource }) => JSON.stringify(Resource).includes(':111122223333:'));
    expect(foreign).toEqual(statements);
  });

  it('grants a caller of the restore API its tenant', () => {
    const synthesis = run('Restore, by roles of the account');

    const statements = statementsOf(synthesis, 'Service');
    expect(statements.map(({ Action }) => Action)).toEqual(['execute-api:Invoke']);
    expect(JSON.stringify(statements)).toContain('/v1/POST/tenants/eu-west-2_SchoolA/contents/*/restore');
    expect(synthesis.properties('AWS::ApiGateway::Method').map((method) => method.AuthorizationType)).toEqual(
      ['AWS_IAM'],
    );
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
    const key = synthesis
      .resources('AWS::KMS::Key')
      .find(({ logicalId }) => logicalId.startsWith('LatchkeyKey'));
    expect(key).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
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
    const configured = synthesize(
      parseConfiguration(
        {
          endpoints: {
            staging: {
              global: {
                contentBaseUrl: 'https://api.staging.platform.example/rest/v1',
                contentTokenBaseUrl: 'https://auth.staging.platform.example',
              },
            },
          },
          deployments: [
            {
              environment: 'staging',
              account: '111122223333',
              region: 'eu-west-1',
              tenants: [
                { tenantId: 'eu-west-2_StagingAb', tokens: [{ interface: 'content', scope: 'api/read' }] },
              ],
            },
          ],
        },
        'the file',
      ),
    );
    const before = byId(configured.resources().filter(({ stack }) => !stack.endsWith('api-gateway')));

    const after = byId(run('Move from the configuration file').resources());

    expect(Object.keys(before).length).toBeGreaterThan(50);
    expect(after).toEqual(before);
  });
});

describe('docs/readers.md', () => {
  const apps = appsOn('docs/readers.md');
  const actionsOf = (section: string, role: string) =>
    statementsOf(runPageApp(apps.find((app) => app.section === section)!), role)
      .map(({ Action }) => Action)
      .sort();

  it('has apps that compile in a strict project', () => {
    expect(typeErrorsIn(apps)).toBe('');
  }, 120_000);

  it.each([
    ['With the Lambda extension, or the agent', 'Service', []],
    ['In ECS', 'Task', []],
    ['One right more for the agent and the libraries', 'Role', ['secretsmanager:DescribeSecret']],
  ])('grants under “%s” what reads there need', (section, role, more) => {
    expect(actionsOf(section, role)).toEqual(['kms:Decrypt', ...more, 'secretsmanager:GetSecretValue']);
  });
});
