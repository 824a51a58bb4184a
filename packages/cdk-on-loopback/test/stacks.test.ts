import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, type PolicyStatement } from '../src/account';
import { type AccountServices, startAccountServices } from '../src/account-services';
import { RunClock } from '../src/run-clock';
import { readAssembly } from '../src/template/assembly';
import { RecordingReporter } from '../src/testing/recording-reporter';
import { emptyAccount, roleFor } from '../src/testing/stacks';
import { signedFetch } from '../src/testing/signed-fetch';

type Resources = Record<string, { Type: string; [more: string]: unknown }>;

interface Answer {
  status: number;
  body: {
    outputs?: Record<string, Record<string, string>>;
    stacks?: { name: string; status: string; reason?: string }[];
    __type?: string;
    stack?: string;
    reason?: string;
    message?: string;
    [more: string]: unknown;
  };
}

const parameter = (Name: string, Value = 'x', more: object = {}) => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Name, Type: 'String', Value },
  ...more,
});
/** A resource that cannot be created. */
const BROKEN = { Type: 'AWS::KMS::Alias', Properties: { AliasName: 'alias/broken', TargetKeyId: 'none' } };
const DEPLOY_ROLE = 'arn:aws:iam::111111111111:role/cdk-hnb659fds-deploy-role-111111111111-eu-west-1';
const FILES_ROLE = 'arn:aws:iam::111111111111:role/cdk-hnb659fds-file-publishing-role-111111111111-eu-west-1';

describe('POST /_local/stacks', () => {
  let dir: string;
  let account: Account;
  let services: AccountServices;

  let reporter: RecordingReporter;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'stacks-'));
    account = emptyAccount();
    reporter = new RecordingReporter();
    const run = { account, clock: new RunClock(), reporter };
    const files = { caFile: '/dev/null', inlineCodeDir: join(dir, 'inline-code') };
    services = await startAccountServices({ ...run, ...files, port: 0 });
  });
  afterEach(() => services.stacks.delete(services.stacks.list('').map(({ name }) => name)));
  afterAll(async () => {
    await services.close();
    rmSync(dir, { recursive: true });
  });

  /** Writes an assembly as `cdk synth` does. @returns its folder */
  const assemblyOf = (
    stacks: Record<string, { Resources: Resources; Outputs?: object }>,
    environment = 'aws://111111111111/eu-west-1',
    { withCode = false, terminationProtection = false } = {},
  ): string => {
    const assemblyDir = mkdtempSync(join(dir, 'assembly-'));
    const artifacts = Object.entries(stacks).map(([name, template]) => {
      writeFileSync(join(assemblyDir, `${name}.template.json`), JSON.stringify(template));
      const properties = { templateFile: `${name}.template.json`, terminationProtection };
      return [name, { type: 'aws:cloudformation:stack', environment, properties }] as const;
    });
    const assets = { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } };
    if (withCode) {
      mkdirSync(join(assemblyDir, 'code'));
      const file = {
        source: { path: 'code', packaging: 'zip' },
        destinations: { d: { objectKey: 'code.zip' } },
      };
      writeFileSync(join(assemblyDir, 'assets.json'), JSON.stringify({ files: { code: file } }));
    }
    const manifest = {
      version: '50.0.0',
      artifacts: { ...Object.fromEntries(artifacts), ...(withCode && { assets }) },
    };
    writeFileSync(join(assemblyDir, 'manifest.json'), JSON.stringify(manifest));
    return assemblyDir;
  };
  const call = async (body: object, key = services.issueAdministratorKey()): Promise<Answer> => {
    const url = `${services.endpoint.url}/_local/stacks`;
    const answer = await signedFetch(url, key as never, 'loopback', { body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };
  const deploy = (stacks: Parameters<typeof assemblyOf>[0]) =>
    call({ action: 'deploy', assemblyDir: assemblyOf(stacks) });
  const statuses = async (prefix = '') =>
    (await call({ action: 'list', prefix })).body.stacks?.map(({ name, status }) => `${name} ${status}`);
  const parameters = () => [...account.parameters.values()].map(({ name, value }) => `${name}=${value}`);
  const operatorMay = (...statements: PolicyStatement[]) => {
    const key = services.addPerson('local-operator', []);
    const role = account.roles.get('arn:aws:iam::111111111111:role/local-operator')!;
    role.inlinePolicies = [{ name: 'own', document: { Version: '2012-10-17', Statement: statements } }];
    return key;
  };
  const assuming = (Resource: string | string[]): PolicyStatement => ({
    Effect: 'Allow',
    Action: 'sts:AssumeRole',
    Resource,
  });

  test('creates the stacks of an assembly and returns their outputs by the names in their templates', async () => {
    const { status, body } = await deploy({
      'run-a': { Resources: { A: parameter('/a') }, Outputs: { Where: { Value: { Ref: 'A' } } } },
      'run-b': { Resources: { B: parameter('/b') } },
    });

    expect([status, body.outputs]).toEqual([200, { 'run-a': { Where: '/a' }, 'run-b': {} }]);
    expect(await statuses()).toEqual(['run-a CREATE_COMPLETE', 'run-b CREATE_COMPLETE']);
  });

  test('updates a stack that it created, and one that the run began with', async () => {
    const begun = assemblyOf({ begun: { Resources: { A: parameter('/begun') } } });
    services.stacks.create(readAssembly(begun));
    await deploy({ 'run-a': { Resources: { A: parameter('/a'), B: parameter('/b') } } });

    await deploy({
      begun: { Resources: { A: parameter('/begun', 'y') } },
      'run-a': { Resources: { A: parameter('/a', 'y') } },
    });

    expect(parameters()).toEqual(['/begun=y', '/a=y']);
    expect(await statuses()).toEqual(['begun UPDATE_COMPLETE', 'run-a UPDATE_COMPLETE']);
  });

  test('deletes stacks, the last one first, and skips those that do not exist', async () => {
    await deploy({ 'run-a': { Resources: { A: parameter('/a') } }, 'run-b': { Resources: {} } });

    const { status } = await call({ action: 'delete', names: ['run-a', 'none', 'run-b'] });

    expect([status, parameters(), await statuses()]).toEqual([200, [], []]);
  });

  test('deletes a protected stack only after a deployment without the protection', async () => {
    const stacks = { 'run-a': { Resources: { A: parameter('/a') } } };
    const deployWith = (terminationProtection: boolean) =>
      call({ action: 'deploy', assemblyDir: assemblyOf(stacks, undefined, { terminationProtection }) });
    await deployWith(true);

    const { status, body } = await call({ action: 'delete', names: ['run-a'] });

    expect([status, body.__type, body.message]).toEqual([
      400,
      'ValidationError',
      'Stack [run-a] cannot be deleted while TerminationProtection is enabled',
    ]);
    expect(await statuses()).toEqual(['run-a CREATE_COMPLETE']);

    await deployWith(false);

    expect((await call({ action: 'delete', names: ['run-a'] })).status).toBe(200);
  });

  test('says why a creation failed, keeps the stack for its deletion, and creates it again', async () => {
    const failed = await deploy({
      'run-a': { Resources: { A: parameter('/a') } },
      'run-b': { Resources: { B: parameter('/b'), C: { ...BROKEN, DependsOn: 'B' } } },
    });

    expect(failed).toMatchObject({
      status: 400,
      body: { __type: 'DeploymentFailed', stack: 'run-b', status: 'ROLLBACK_COMPLETE' },
    });
    expect(failed.body.reason).toContain('run-b, C: the account has no KMS key none');
    expect(parameters()).toEqual(['/a=x']);
    expect(await statuses()).toEqual(['run-a CREATE_COMPLETE', 'run-b ROLLBACK_COMPLETE']);

    await deploy({ 'run-b': { Resources: { B: parameter('/b') } } });
    expect(await statuses('run-b')).toEqual(['run-b CREATE_COMPLETE']);
  });

  test('rolls a failed update back to the stack as it was', async () => {
    await deploy({ 'run-a': { Resources: { A: parameter('/a') } } });

    const failed = await deploy({ 'run-a': { Resources: { A: parameter('/a', 'y'), B: BROKEN } } });
    const after = [parameters(), await statuses()];
    await call({ action: 'delete', names: ['run-a'] });

    expect(failed.body).toMatchObject({ stack: 'run-a', status: 'UPDATE_ROLLBACK_COMPLETE' });
    expect(after).toEqual([['/a=x'], ['run-a UPDATE_ROLLBACK_COMPLETE']]);
    expect(parameters()).toEqual([]);
  });

  test('answers other requests during an operation, and refuses a second one on the same stack', async () => {
    const resources = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [`P${n}`, parameter(`/p${n}`)] as const),
    );
    const deploying = deploy({ 'run-a': { Resources: resources } });
    let during: string[] | undefined;
    while ((during = await statuses())?.length === 0);

    const second = await deploy({ 'run-a': { Resources: {} } });

    expect(during).toEqual(['run-a CREATE_IN_PROGRESS']);
    expect(second.body).toMatchObject({ __type: 'ValidationError', status: 'CREATE_IN_PROGRESS' });
    expect((await deploying).status).toBe(200);
  });

  test.each([
    ['for another account', () => assemblyOf({ a: { Resources: {} } }, 'aws://222222222222/eu-west-1')],
    ['for another region', () => assemblyOf({ a: { Resources: {} } }, 'aws://111111111111/eu-west-2')],
    ['that does not exist', () => join(dir, 'none')],
    [
      'whose resources depend on each other',
      () => assemblyOf({ a: { Resources: { A: parameter('/a', 'x', { DependsOn: 'A' }) } } }),
    ],
  ])('refuses an assembly %s, and keeps no stack of it', async (_, write) => {
    const { status, body } = await call({ action: 'deploy', assemblyDir: write() });

    expect([status, body.__type, await statuses()]).toEqual([400, 'ValidationError', []]);
  });

  test.each([
    ['another action', { action: 'import' }],
    ['a folder of its reader', { action: 'deploy', assemblyDir: 'cdk.out' }],
    ['another parameter', { action: 'list', color: 'red' }],
  ])('refuses %s', async (_, body) => {
    expect((await call(body)).body.__type).toBe('ValidationException');
  });

  test('runs the code that a template contains, also after an update', async () => {
    const [Type, Properties] = roleFor('lambda.amazonaws.com');
    const withCode = (ZipFile: string) => ({
      'run-a': {
        Resources: {
          Role: { Type, Properties },
          Function: {
            Type: 'AWS::Lambda::Function',
            Properties: {
              FunctionName: 'small',
              Code: { ZipFile },
              Handler: 'index.handler',
              Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
              Runtime: 'nodejs24.x',
            },
          },
        },
      },
    });
    const invoke = async () => {
      const arn = 'arn:aws:lambda:eu-west-1:111111111111:function:small';
      const result = await services.invoker.invoke(arn, Buffer.from('{}'));
      return 'payload' in result ? result.payload.toString() : result.kind;
    };
    // The project around may have made each .js file an ES module.
    writeFileSync(join(dir, 'package.json'), '{"type":"module"}');

    await deploy(withCode('exports.handler = async () => 1;'));
    const before = await invoke();
    await deploy(withCode('exports.handler = async () => 2;'));

    expect([before, await invoke()]).toEqual(['1', '2']);
    expect(existsSync(join(dir, 'inline-code'))).toBe(true);
  });

  test('serves callers that may assume the role with which CDK deploys, and no others', async () => {
    const assemblyDir = assemblyOf({ 'run-a': { Resources: {} } });
    const given = { action: 'deploy', assemblyDir };

    const denied = await call(given, operatorMay(assuming('arn:aws:iam::111111111111:role/other')));
    expect(denied.body.__type).toBe('AccessDeniedException');
    expect(denied.body.message).toContain(`sts:AssumeRole on resource: ${DEPLOY_ROLE}`);
    expect(await statuses()).toEqual([]);

    const key = operatorMay(assuming(DEPLOY_ROLE));
    expect((await call(given, key)).status).toBe(200);
    expect((await call({ action: 'list' }, key)).body.stacks).toHaveLength(1);
    expect((await call({ action: 'delete', names: ['run-a'] }, key)).status).toBe(200);
  });

  test('requires the role that publishes files for an assembly with code', async () => {
    const assemblyDir = assemblyOf({ 'run-a': { Resources: {} } }, undefined, { withCode: true });
    const given = { action: 'deploy', assemblyDir };

    const denied = await call(given, operatorMay(assuming(DEPLOY_ROLE)));
    expect(denied.body.message).toContain(`sts:AssumeRole on resource: ${FILES_ROLE}`);
    expect((await call(given, operatorMay(assuming([DEPLOY_ROLE, FILES_ROLE])))).status).toBe(200);
  });

  test('starts what a stack adds, and ends what it no longer has', async () => {
    const [Type, Properties] = roleFor('scheduler.amazonaws.com');
    const schedule = {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Name: 'often',
        ScheduleExpression: 'rate(1 minutes)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: 'arn:aws:lambda:eu-west-1:111111111111:function:none',
          RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
          RetryPolicy: { MaximumRetryAttempts: 0 },
        },
      },
    };

    await deploy({ 'run-a': { Resources: { Role: { Type, Properties }, Schedule: schedule } } });
    const warned = reporter.warnings.length;
    await call({ action: 'delete', names: ['run-a'] });
    await signedFetch(
      `${services.endpoint.url}/_local/clock`,
      services.issueAdministratorKey() as never,
      'loopback',
      { body: '{"advanceSec":120}' },
    );

    expect(reporter.warnings.join('\n')).toContain('schedule often could not invoke its target');
    expect([account.schedules.size, reporter.warnings.length]).toEqual([0, warned]);
  });
});
