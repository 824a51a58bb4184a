import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';

import { openConfiguredSystem, openSystemOnAws } from '../../cli/configured-system';
import { openLocalSystem } from '../../cli/open-local-system';
import { type LocalRun } from '../../core/deployment/local-run';
import { newFolder } from '../support/new-folder';
import { configurationFor } from './support/configuration';
import { failureOf } from './support/operated-system';

const OURS = '111122223333';
const CONFIGURATION = configurationFor(OURS, 'eu-west-1');
const [DEPLOYMENT] = CONFIGURATION.deployments as [(typeof CONFIGURATION.deployments)[0]];

let dir: string;
beforeEach(() => (dir = newFolder()));

describe('the system of a configuration', () => {
  const ssm = mockClient(SSMClient);
  const options = (more: { config?: string; profile?: string } = {}) => ({
    config: undefined,
    profile: undefined,
    workingDir: dir,
    interrupted: new AbortController().signal,
    access: {
      clientConfig: { credentials: { accessKeyId: 'AKIATEST', secretAccessKey: 'test' } },
      sendRequest: () => Promise.reject(new Error('no request is expected')),
    },
    ...more,
  });
  const write = (configuration: object, name = 'own.json') => {
    writeFileSync(join(dir, name), JSON.stringify(configuration));
    return name;
  };
  beforeEach(() => ssm.reset());

  it('knows its deployments, also those of other issuers, the names of their secrets, and adopted ones', () => {
    const arnOf = (name: string) => `arn:aws:secretsmanager:eu-west-1:${OURS}:secret:${name}-AbCdEf`;
    const clientCredentials = { arn: arnOf('legacy/creds'), fields: { clientId: 'id' } };
    const adopt = { clientCredentials, apiKey: arnOf('legacy/key') };
    const tenants = [...DEPLOYMENT.tenants, { ...DEPLOYMENT.tenants[0], tenantId: 'two', adopt }];
    const parameters = { host: 'acme.eu.auth0.com', audience: 'https://api.example.com' };
    const acme = { tenantId: 'acme', parameters, tokens: [{ scope: 'read:users' }] };
    const auth0 = { issuer: 'auth0', environment: 'production', tenants: [acme] };
    const config = write({ ...CONFIGURATION, deployments: [{ ...DEPLOYMENT, tenants }, auth0] });

    const { deployments, flags } = openConfiguredSystem(options({ config, profile: "Jo's ops" }));

    expect(flags).toBe(`--config own.json --profile 'Jo'\\''s ops'`);
    const root = 'latchkey/staging/global/one';
    expect(deployments).toMatchObject([
      {
        stackName: 'latchkey-staging-global',
        prefix: 'latchkey',
        configured: { platform: { contentBaseUrl: 'https://api.platform.example/rest/v1' } },
        tenants: [
          {
            tenantId: 'one',
            secretIds: { 'client-credentials': `${root}/client-credentials`, 'api-key': `${root}/api-key` },
            tokens: [{ secretId: `${root}/token/content/api-read` }],
          },
          {
            secretIds: { 'client-credentials': clientCredentials.arn, 'api-key': arnOf('legacy/key') },
            secretFields: { 'client-credentials': { clientId: 'id', clientSecret: 'clientSecret' } },
          },
        ],
      },
      {
        stackName: 'latchkey-auth0-production',
        issuer: 'auth0',
        tenants: [
          {
            apiKey: false,
            secretIds: { 'client-credentials': 'latchkey/auth0/production/acme/client-credentials' },
            tokens: [{ secretId: 'latchkey/auth0/production/acme/token/api/read=3Ausers' }],
          },
        ],
      },
    ]);
    expect(deployments[1]).not.toHaveProperty('platformRegion');
  });

  /** The deployment, with these values of its parameters by the last part of their names. */
  const published = (values: Record<string, string>) => {
    ssm.on(GetParameterCommand).callsFake(({ Name }: { Name: string }) => {
      const Value = values[Name.replace('/latchkey/staging/global/', '')];
      if (Value !== undefined) return { Parameter: { Value } };
      throw new ParameterNotFound({ message: '', $metadata: {} });
    });
    return openConfiguredSystem(options({ config: write(CONFIGURATION) })).deployments[0]!;
  };

  it('finds a function by the parameter with its ARN, read once', async () => {
    const arn = `arn:aws:lambda:eu-west-1:${OURS}:function:sweep`;
    const { functionArn } = published({ 'token-sweep-arn': arn });

    expect([await functionArn('token-sweep-arn'), await functionArn('token-sweep-arn')]).toEqual([arn, arn]);
    expect(ssm.calls()).toHaveLength(1);
  });

  describe('knows CDK’s bootstrap stack', () => {
    const bootstrapOf = (change: object = {}, more = {}) => {
      const config = write({ ...CONFIGURATION, deployments: [{ ...DEPLOYMENT, ...change }] });
      return openConfiguredSystem(options({ config, ...more })).deployments[0]!.bootstrap!;
    };

    it('by the parameter with its version', async () => {
      const Name = '/cdk-bootstrap/hnb659fds/version';
      ssm.on(GetParameterCommand, { Name }).resolves({ Parameter: { Value: '30' } });

      const bootstrap = bootstrapOf();

      expect(bootstrap.parameter).toBe(Name);
      expect(await bootstrap.version()).toBe('30');
    });

    it.each([
      ['the account and region', {}, {}, `aws://${OURS}/eu-west-1`],
      ['the profile', {}, { profile: 'ops' }, `aws://${OURS}/eu-west-1 --profile ops`],
      ['the awsProfile', { awsProfile: 'staging' }, {}, `aws://${OURS}/eu-west-1 --profile staging`],
      ['the configuration, if it names no region', { region: undefined }, {}, '-c config=own.json'],
    ])('and the command that creates it, with %s', (_, change, more, words) => {
      expect(bootstrapOf(change, more).command).toBe(`npx cdk bootstrap ${words}`);
    });

    it('by the qualifier in cdk.json', () => {
      const withQualifier = (qualifier: unknown) => {
        write({ context: { '@aws-cdk/core:bootstrapQualifier': qualifier } }, 'cdk.json');
        return bootstrapOf().parameter;
      };

      expect(withQualifier('acme')).toBe('/cdk-bootstrap/acme/version');
      expect(withQualifier('../x')).toBe('/cdk-bootstrap/hnb659fds/version');
    });
  });

  describe('finds the restore API', () => {
    const url = 'https://abc.execute-api.eu-west-1.amazonaws.com/v1';
    const arnOf = (account: string) => `arn:aws:lambda:eu-west-1:${account}:function:f`;
    const ours = { 'restore-api-url': url, 'restore-arn': arnOf(OURS) };
    const theirs = { ...ours, 'restore-arn': arnOf('999999999999') };

    it('whose callers sign their requests, unless it has an authorizer', async () => {
      const authorized = published({ ...ours, 'authorizer-arn': arnOf(OURS) });
      expect(await authorized.restoreApi()).toMatchObject({ url, auth: 'platform' });
      expect(await published(ours).restoreApi()).toMatchObject({ url, auth: 'iam' });
    });

    it('and the log group of its function', async () => {
      const group = 'latchkey-staging-global-RestoreLogs-1';

      const logs = await published({ ...ours, 'restore-log-group': group }).restoreLogs();

      expect(logs).toMatchObject({
        logGroupName: group,
        clientConfig: { region: 'eu-west-1', maxAttempts: 5 },
      });
    });

    it.each<['restoreApi' | 'restoreLogs', string, Record<string, string>, number, string]>([
      ['restoreApi', 'there is none', {}, 1, 'no_restore_api'],
      ['restoreApi', 'it is in another account', theirs, 77, 'other_account'],
      ['restoreLogs', 'there is none to have a log', {}, 1, 'no_restore_api'],
      ['restoreLogs', 'they are elsewhere', { ...theirs, 'restore-log-group': 'g' }, 77, 'other_account'],
      ['restoreLogs', 'the stack is of a version without a log', ours, 1, 'not_found'],
    ])('but no %s if %s', async (find, _, values, exitCode, code) => {
      const failure = await failureOf(() => published(values)[find]());

      expect(failure).toMatchObject({ exitCode, code });
      if (code === 'not_found') expect(failure.advice).toContain('npx cdk deploy');
    });
  });

  describe('without a file, for a deployment of a CDK app', () => {
    const FUNCTION = 'arn:aws:lambda:eu-west-1:111122223333:function:watch';
    const lambda = mockClient(LambdaClient);
    const FILE = {
      prefix: 'team',
      environment: 'staging',
      platformRegion: 'global',
      platform: { contentBaseUrl: 'https://api.platform.example', contentTokenBaseUrl: 'https://auth' },
      tenants: [{ tenantId: 'one', tokens: [{ interface: 'content', scope: 'api/read' }], adopted: {} }],
    };
    let env: jest.ReplaceProperty<NodeJS.ProcessEnv>;
    afterEach(() => env.restore());
    beforeEach(() => {
      env = jest.replaceProperty(process, 'env', { ...process.env, AWS_REGION: 'eu-west-1' });
      lambda.reset();
    });
    /** Has the deployment of that parameter answer that it serves this. */
    const serve = (parameter: string, deployment: object) => {
      const Payload = Buffer.from(JSON.stringify({ deployment, tenants: [] })) as never;
      ssm.on(GetParameterCommand, { Name: parameter }).resolves({ Parameter: { Value: FUNCTION } });
      lambda.on(InvokeCommand, { FunctionName: FUNCTION }).resolves({ Payload });
    };
    const found = () => ({ ...options({ profile: 'ops' }), environment: 'staging', prefix: 'team' });

    it('finds it by its parameters, and asks it what it serves', async () => {
      serve('/team/staging/global/credential-watch-arn', FILE);

      const { deployments, flags } = await openSystemOnAws(found());

      expect(flags).toBe('--prefix team --profile ops');
      expect(deployments).toMatchObject([
        {
          stackName: 'team-staging-global',
          configured: undefined,
          issuing: { platform: FILE.platform },
          tenants: [
            {
              tenantId: 'one',
              tokens: [{ secretId: 'team/staging/global/one/token/content/api-read' }],
            },
          ],
        },
      ]);
    });

    it('finds one of another issuer, which has no region', async () => {
      const key = { issuer: 'auth0', environment: 'production' };
      const tokens = [{ interface: 'management', scope: 'read:users' }];
      const tenants = [{ tenantId: 'acme', tokens, apiKey: false, adopted: {} }];
      serve('/team/auth0/production/credential-watch-arn', { prefix: 'team', ...key, platform: {}, tenants });

      const { deployments } = await openSystemOnAws({ ...found(), ...key });

      expect(deployments).toMatchObject([
        { stackName: 'team-auth0-production', tenants: [{ tenantId: 'acme', apiKey: false }] },
      ]);
      expect(deployments[0]).not.toHaveProperty('platformRegion');
    });

    it.each([
      [{ environment: 'live' }, 2, '--environment: found live; allowed: staging, production'],
      [{ platformRegion: 'emea' }, 2, '--platform-region: found emea; allowed: global, mea'],
      [
        { issuer: 'auth0', environment: 'a/b' },
        2,
        '--environment: found something else; allowed: letters, digits and -',
      ],
      [{ config: 'own.json' }, 2, '--prefix: found a value with a configuration'],
      [{ prefix: 'other' }, 1, '/other/staging/global/credential-watch-arn'],
    ])('refuses %j', async (flags, exitCode, message) => {
      write(CONFIGURATION, 'own.json');
      ssm.on(GetParameterCommand).rejects(Object.assign(new Error('gone'), { name: 'ParameterNotFound' }));

      const failure = await failureOf(() => openSystemOnAws({ ...found(), ...flags }));

      expect(failure.exitCode).toBe(exitCode);
      expect(failure.message).toContain(message);
    });
  });

  const { environment, tenants } = DEPLOYMENT;
  const global = { contentBaseUrl: 'https://127.0.0.1:1/a', contentTokenBaseUrl: 'https://127.0.0.1:1/b' };
  const local = { local: true, endpoints: { staging: { global } }, deployments: [{ environment, tenants }] };
  it.each([
    ['how to get one if there is none', undefined, /config\/latchkey\.json.*latchkey init.*--local/s],
    ['that it is not there', 'missing.json', /ENOENT/],
    ['its fault', 'faulty.json', /deployments/],
    ['that it is for the laptop', 'local.json', /add --local/],
  ])('says of a configuration %s, and exits with 2', async (_, config, says) => {
    write({ ...CONFIGURATION, deployments: [] }, 'faulty.json');
    write(local, 'local.json');

    const failure = await failureOf(() =>
      openConfiguredSystem(options(config === undefined ? {} : { config })),
    );

    expect(failure.exitCode).toBe(2);
    expect(`${failure.message}\n${failure.advice}`).toMatch(says);
  });
});

describe('the laptop system', () => {
  let server: Server;
  let nowMs: number;
  beforeEach(async () => {
    nowMs = Date.now();
    server = createServer((_, response) => {
      response.writeHead(200, { date: new Date(nowMs).toUTCString(), connection: 'close' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const REFRESH = 'arn:aws:lambda:eu-west-1:000000000000:function:refresh';
  function writeRun(stateDir = dir, caFile = 'ca.pem'): void {
    const contents = { archivedContentIds: [], authorRefs: [], collaborationIds: [] };
    const { port } = server.address() as AddressInfo;
    const run: LocalRun = {
      aws: {
        endpoint: `http://127.0.0.1:${port}`,
        region: 'eu-west-1',
        accountId: '000000000000',
        accessKeyId: 'administrator',
        secretAccessKey: 'administrator',
      },
      operator: { accessKeyId: 'operator', secretAccessKey: 'operator' },
      caFile,
      sandboxControl: 'https://127.0.0.1:1/_sandbox',
      deployments: [
        {
          environment: 'staging',
          platformRegion: 'mea',
          stack: 'our-keys-staging-mea',
          functions: { tokenRefresh: REFRESH },
          platform: { contentBaseUrl: 'https://127.0.0.1:1/a', contentTokenBaseUrl: 'https://127.0.0.1:1/b' },
          profile: LEARNING_PLATFORM,
          tenants: [
            {
              tenantId: 'one',
              clientCredentialsArn: 'arn:credentials',
              apiKeyArn: 'arn:key',
              tokens: [{ interface: 'content', scope: 'api/read', arn: 'arn:token' }],
              ...contents,
            },
          ],
        },
        {
          issuer: 'auth0',
          environment: 'production',
          stack: 'our-keys-auth0-production',
          functions: {},
          platform: { tokenBaseUrl: 'https://127.0.0.1:1' },
          profile: { tokenEndpoint: { path: '/oauth/token' } },
          tenants: [
            {
              tenantId: 'acme',
              clientCredentialsArn: 'arn:auth0',
              tokens: [{ interface: 'management', scope: 'read:users', arn: 'arn:users' }],
              ...contents,
            },
          ],
        },
      ],
    };
    mkdirSync(stateDir, { recursive: true });
    writeFileSync(join(stateDir, 'local.json'), JSON.stringify(run));
    writeFileSync(join(stateDir, 'ca.pem'), 'an authority');
  }
  const open = (more: Partial<Parameters<typeof openLocalSystem>[0]> = {}) =>
    openLocalSystem({
      stateDir: undefined,
      env: {},
      workingDir: dir,
      projectRoot: join(dir, 'elsewhere'),
      interrupted: new AbortController().signal,
      ...more,
    });

  it('is read from local.json, with an operator’s permissions', async () => {
    writeRun();

    const system = await open({ stateDir: '.' });

    const [deployment, auth0] = system.deployments;
    expect(system.flags).toBe('--local --state-dir .');
    expect(deployment).toMatchObject({
      prefix: 'our-keys',
      tenants: [{ secretIds: { 'client-credentials': 'arn:credentials', 'api-key': 'arn:key' } }],
    });
    expect(auth0).toMatchObject({
      issuer: 'auth0',
      prefix: 'our-keys',
      tenants: [{ apiKey: false, tokens: [{ interface: 'management', secretId: 'arn:users' }] }],
    });
    expect(auth0).not.toHaveProperty('platformRegion');
    expect(await deployment!.functionArn('token-refresh-arn')).toBe(REFRESH);
    expect(await deployment!.secretsManager.config.credentials()).toMatchObject({ accessKeyId: 'operator' });
    expect((await failureOf(() => deployment!.functionArn('token-sweep-arn'))).code).toBe('not_found');
    expect((await failureOf(() => deployment!.restoreApi())).code).toBe('no_restore_api');
  });

  const edit = (change: (text: string) => string) => {
    const file = join(dir, 'local.json');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  it.each<[string, string | undefined, () => unknown, string]>([
    ['none ever ran in the usual folder', undefined, () => undefined, 'no running laptop system was found'],
    ['its file is no JSON', '.', () => edit(() => '{"aws":'), 'local.json is not valid'],
    ['its file has something else', '.', () => edit(() => '{}'), 'local.json is not valid'],
    [
      'its file names an endpoint elsewhere, which would get the credentials',
      '.',
      () => edit((text) => text.replace('127.0.0.1', 'aws.example')),
      'local.json is not valid',
    ],
    ['it was killed, and left its file', '.', () => void server.close(), 'nothing answers'],
  ])('says how to start it if %s', async (_, stateDir, arrange, says) => {
    writeRun();
    arrange();

    const failure = await failureOf(() => open({ stateDir }));
    if (!server.listening) server.listen(0, '127.0.0.1');

    expect(failure).toMatchObject({
      exitCode: 69,
      code: 'not_running',
      message: expect.stringContaining(says) as string,
      advice: expect.stringContaining('npm start') as string,
    });
  });

  describe('is found', () => {
    const caFileOf = async (more: Parameters<typeof open>[0]) => (await open(more)).laptop?.caFile;

    it.each<[string, (project: string, stateDir: string) => Parameters<typeof open>[0]]>([
      ['in the working directory', (workingDir) => ({ workingDir })],
      ['in a folder above it', (project) => ({ workingDir: join(project, 'a/b') })],
      ['in the checkout of the command', (projectRoot) => ({ projectRoot })],
      ['where --state-dir says', (_, stateDir) => ({ stateDir, env: { LATCHKEY_STATE_DIR: 'none' } })],
      ['where LATCHKEY_STATE_DIR says', (_, stateDir) => ({ env: { LATCHKEY_STATE_DIR: stateDir } })],
    ])('%s, with its certificates', async (_, optionsFor) => {
      const project = join(dir, 'project');
      const stateDir = join(project, '.latchkey');
      mkdirSync(join(project, 'a/b'), { recursive: true });
      writeRun(stateDir, '.latchkey/ca.pem');

      expect(await caFileOf(optionsFor(project, stateDir))).toBe(join(stateDir, 'ca.pem'));
    });

    it('in a state directory outside the project', async () => {
      const stateDir = join(dir, 'state/of/run');
      writeRun(stateDir, '../state/of/run/ca.pem');

      expect(await caFileOf({ stateDir })).toBe(join(stateDir, 'ca.pem'));
    });
  });

  it('has requests signed by its own clock, which can be ahead', async () => {
    writeRun();
    nowMs += 3_600_000;

    const { deployments, clockAheadMs } = await open({ stateDir: '.' });

    expect(clockAheadMs! / 1000).toBeCloseTo(3_600, -1);
    for (const client of ['secretsManager', 'lambda', 'cloudWatch', 'scheduler'] as const) {
      expect(deployments[0]![client].config.systemClockOffset).toBe(clockAheadMs);
    }
  });
});
