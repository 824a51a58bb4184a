import { LambdaClient } from '@aws-sdk/client-lambda';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openConfiguredSystem } from '../../cli/configured-system';
import { init } from '../../cli/init-command';
import { type InitFlags } from '../../cli/init/answers';
import { type Terminal } from '../../cli/terminal';
import { loadConfiguration } from '../../lib/options/load';
import { configurationJsonSchema, type DeploymentConfiguration } from '../../lib/options/schema';
import { type AccessKey } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';
import { newFolder } from '../support/new-folder';
import { FakeTerminal } from './support/fake-terminal';
import { failureOf, OperatedSystem } from './support/operated-system';

/** The first answer: which issuer. */
const PLATFORM = 'learning-platform';
const ANSWERS = [
  'staging',
  'mea',
  'eu-west-2_AbcdEfghI',
  'eu-west-2_SecondOne',
  '',
  'https://api.platform.example/rest/v1',
  'https://auth.platform.example',
  // restore
  true,
  // content tokens besides the one that restore needs: api/read and api/all
  true,
  false,
  // webhooks
  true,
  'https://webhooks.platform.example',
  'https://webhooks-auth.platform.example',
  // webhooks tokens: the first, then api/all
  'api/webhooks',
  false,
  // tenant service
  true,
  'https://tenants.platform.example',
  // account, region and alarms
  '111122223333',
  'eu-west-1',
  'a@example.org, b@example.org',
  // another one
  false,
];
/** The flags that a deployment of the learning platform needs. */
const FLAGS: InitFlags = {
  environment: 'staging',
  tenants: ['eu-west-2_AbcdEfghI', 'eu-west-2_SecondOne'],
  contentBaseUrl: 'https://api.platform.example/rest/v1',
  contentTokenBaseUrl: 'https://auth.platform.example',
  contentScopes: ['api/read'],
};
/** The same as the answers. */
const EVERY_FLAG: InitFlags = {
  ...FLAGS,
  platformRegion: 'mea',
  restore: true,
  webhooksBaseUrl: 'https://webhooks.platform.example',
  webhooksTokenBaseUrl: 'https://webhooks-auth.platform.example',
  webhooksScopes: ['api/webhooks'],
  tenantServiceUrl: 'https://tenants.platform.example',
  account: '111122223333',
  region: 'eu-west-1',
  alarmEmails: ['a@example.org', 'b@example.org'],
};

/** A person who presses Enter at each question, and gives the next answer where that is not enough. */
class EnterOnly extends FakeTerminal {
  override async ask(question: string, options: Parameters<Terminal['ask']>[1] = {}): Promise<string> {
    const { initial = '', check } = options;
    return check?.(initial) === undefined ? initial : super.ask(question, options);
  }

  override async choose<T extends string>(_: string, [first]: readonly { value: T }[] = []): Promise<T> {
    return first!.value;
  }

  override async confirm(): Promise<boolean> {
    return false;
  }
}

describe('latchkey init', () => {
  const context = (terminal: FakeTerminal) => new OperatedSystem().context(terminal);
  let dir: string;
  let config: string;

  const run = (flags: InitFlags, terminal = new FakeTerminal()) =>
    init(context(terminal), { config, ...flags });
  const read = () => JSON.parse(readFileSync(config, 'utf8')) as { deployments: object[] };

  /** Runs the command, which must fail with exit code 2 and change nothing. @returns its message */
  async function refused(flags: InitFlags): Promise<string> {
    const folder = join(dir, 'config');
    const contents = () =>
      existsSync(folder) && [readFileSync(config, 'utf8'), ...readdirSync(folder).sort()];
    const before = contents();

    const { exitCode, message } = await failureOf(run(flags));

    expect(exitCode).toBe(2);
    expect(contents()).toEqual(before);
    return message;
  }

  beforeEach(() => {
    dir = newFolder();
    config = join(dir, 'config', 'latchkey.json');
  });

  it.each<[string, InitFlags]>([
    ['answers', {}],
    ['flags', EVERY_FLAG],
  ])('writes a valid configuration from %s, with the schema next to it', async (_, flags) => {
    const isAsking = flags !== EVERY_FLAG;
    const answers = isAsking ? [PLATFORM, ...ANSWERS] : [];
    const terminal = new FakeTerminal({ isInteractive: isAsking, answers });

    const exitCode = await run(flags, terminal);

    expect(exitCode).toBe(0);
    const tokens = [
      { interface: 'content', scope: 'api/write' },
      { interface: 'content', scope: 'api/read' },
      { interface: 'webhooks', scope: 'api/webhooks' },
    ];
    expect(read()).toEqual({
      $schema: './latchkey.schema.json',
      endpoints: {
        staging: {
          mea: {
            contentBaseUrl: EVERY_FLAG.contentBaseUrl,
            contentTokenBaseUrl: EVERY_FLAG.contentTokenBaseUrl,
            webhooksBaseUrl: EVERY_FLAG.webhooksBaseUrl,
            webhooksTokenBaseUrl: EVERY_FLAG.webhooksTokenBaseUrl,
            tenantServiceUrl: EVERY_FLAG.tenantServiceUrl,
          },
        },
      },
      deployments: [
        {
          environment: 'staging',
          platformRegion: 'mea',
          account: '111122223333',
          region: 'eu-west-1',
          restore: { available: true },
          alarms: { emails: ['a@example.org', 'b@example.org'] },
          tenants: FLAGS.tenants!.map((tenantId) => ({ tenantId, tokens })),
        },
      ],
    });
    expect(loadConfiguration(config).deployments).toHaveLength(1);
    expect(readdirSync(join(dir, 'config'))).toEqual(['latchkey.json', 'latchkey.schema.json']);
    expect(terminal.visibleText()).not.toMatch(/keep .*api\/write/);
  });

  it('accepts Enter at every question that has a default', async () => {
    const answers = [ANSWERS[2], ANSWERS[5], ANSWERS[6]] as string[];
    const terminal = new EnterOnly({ isInteractive: true, answers });

    const exitCode = await run({}, terminal);

    expect(exitCode).toBe(0);
    expect(loadConfiguration(config).deployments).toMatchObject([
      {
        environment: 'staging',
        platformRegion: 'global',
        restore: { available: false },
        tenants: [{ tokens: [{ interface: 'content', scope: 'api/read' }] }],
      },
    ]);
    expect(terminal.checks.map(([, check]) => check(''))).toEqual([
      'type a value, then Enter: 1–128 letters, digits, _ and -, starting with a letter or digit',
      expect.stringMatching(/^type a value, then Enter: an https URL/),
      expect.stringMatching(/^type a value, then Enter: an https URL/),
    ]);
  });

  describe('with credentials of an AWS account', () => {
    let aws: LocalAws;
    beforeEach(async () => {
      aws = new LocalAws();
      await aws.start();
    });
    afterEach(() => aws.stop());

    /** Writes a deployment, or adds to it. @param key of the credentials, none if null */
    const write = async (flags: InitFlags, key: AccessKey | null = aws.administrator) => {
      const terminal = new FakeTerminal();
      const none = join(dir, 'none');
      const keys = key === null ? {} : { AWS_ACCESS_KEY_ID: key.accessKeyId };
      const env = { AWS_CONFIG_FILE: none, AWS_SHARED_CREDENTIALS_FILE: none, ...keys };
      const system = async () =>
        openConfiguredSystem({
          config,
          profile: undefined,
          workingDir: dir,
          interrupted: terminal.interrupted,
          access: {
            clientConfig: { endpoint: aws.url, credentials: key ?? undefined },
            sendRequest: () => Promise.reject(new Error()),
          },
        });
      await init({ ...context(terminal), system, env }, { ...FLAGS, config, region: REGION, ...flags });
      const [{ reservedConcurrency: reserved }] = loadConfiguration(config).deployments as [
        DeploymentConfiguration,
      ];
      return { reserved, text: terminal.results[0]!.text };
    };

    const account = ACCOUNT_ID;
    const reserves = 'staging global: one token request per renewal, by reserved concurrency';
    const isFull = 'no concurrency is reserved, because the account has no room (a quota of 10)';
    const cannotAsk = 'because these credentials cannot ask its account';
    it.each<[string, InitFlags, { quota?: number; isAllowed?: boolean }, 1 | undefined, string]>([
      ['there is room in the account', { account }, {}, 1, reserves],
      ['there is room in the account of the credentials, if none is named', {}, {}, 1, reserves],
      ['the account is new', { account }, { quota: 10 }, undefined, isFull],
      ['only another account can be asked', { account: '999999999999' }, {}, undefined, cannotAsk],
      ['there is no right to ask', { account }, { isAllowed: false }, undefined, cannotAsk],
    ])(
      'says what concurrency it reserves if %s',
      async (_, flags, { quota, isAllowed = true }, reserved, says) => {
        if (quota !== undefined) aws.account.concurrentExecutions = quota;

        const written = await write(flags, isAllowed ? aws.administrator : aws.roleKey());

        expect(written).toEqual({ reserved, text: expect.stringContaining(says) as string });
      },
    );

    it('asks nobody without credentials', async () => {
      const asked = jest.spyOn(LambdaClient.prototype, 'send');

      const { reserved, text } = await write({ account }, null);

      expect(reserved).toBeUndefined();
      expect(text).not.toContain('concurrency');
      expect(asked).not.toHaveBeenCalled();
      asked.mockRestore();
    });

    it('leaves a deployment as it is to which it adds a tenant', async () => {
      aws.account.concurrentExecutions = 10;
      await write({ account });
      aws.account.concurrentExecutions = 1_000;

      const { reserved } = await write({ add: true, tenants: ['tenant-2'], region: undefined });

      expect(reserved).toBeUndefined();
    });
  });

  describe('with AWS settings that name an account and a region', () => {
    const PROFILES = [
      '[default]',
      'region = eu-central-1',
      '[profile signed-on]',
      'sso_account_id = 222233334444 # staging',
      'region=eu-west-3',
      '[profile "role-of-another"]',
      'role_arn = arn:aws:iam::333344445555:role/deployer',
      'source_profile = signed-on',
      '[profile keys]',
      'aws_account_id = 444455556666',
      'region = mars-1',
      '[sso-session signed-on]',
      'sso_account_id = 999999999999',
    ];
    const KEYS = { AWS_PROFILE: 'signed-on', AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE' };
    async function written(env: Record<string, string>, flags = {}, terminal = new FakeTerminal()) {
      const file = join(dir, 'aws-config');
      writeFileSync(file, PROFILES.join('\n'));
      const surroundings = { ...context(terminal), env: { AWS_CONFIG_FILE: file, ...env } };
      await init(surroundings, { config, ...FLAGS, ...flags });
      const { account, region } = loadConfiguration(config).deployments[0]!;
      return { account, region };
    }

    it.each<[string, Record<string, string>, object]>([
      ['the default profile', {}, { region: 'eu-central-1' }],
      ['single sign-on', { AWS_PROFILE: 'signed-on' }, { account: '222233334444', region: 'eu-west-3' }],
      ['a role', { AWS_PROFILE: 'role-of-another' }, { account: '333344445555' }],
      ['a named account, but no known region', { AWS_PROFILE: 'keys' }, { account: '444455556666' }],
      ['no such profile', { AWS_PROFILE: 'none' }, {}],
      ['AWS_REGION', { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, { region: 'eu-west-1' }],
      // The keys may be of another account than the profile.
      ['keys in variables', { ...KEYS, AWS_DEFAULT_REGION: 'eu-west-2' }, { region: 'eu-west-2' }],
      [
        'keys with their account',
        { ...KEYS, AWS_ACCOUNT_ID: '555566667777' },
        { account: '555566667777', region: 'eu-west-3' },
      ],
    ])('writes those of %s', async (_, env, expected) => {
      expect(await written(env)).toEqual({ account: undefined, region: undefined, ...expected });
    });

    it('writes those of the flags instead', async () => {
      const flags = { account: '111122223333', region: 'eu-west-1' };

      expect(await written({ AWS_PROFILE: 'signed-on' }, flags)).toEqual(flags);
    });

    it('offers them at a terminal, and shows what it wrote', async () => {
      const terminal = new EnterOnly({ isInteractive: true });

      const place = await written({ AWS_PROFILE: 'signed-on' }, {}, terminal);

      expect(place).toEqual({ account: '222233334444', region: 'eu-west-3' });
      expect(terminal.results[0]!.text).toContain('staging global: AWS account 222233334444, eu-west-3');
    });
  });

  it('says what a configuration in somebody else’s app still needs', async () => {
    const terminal = new FakeTerminal();

    await init({ ...context(terminal), isPackage: true }, { config, ...FLAGS, app: false });

    expect(terminal.results[0]!.text).toContain('Your CDK app deploys it once it calls addStacks: https://');
  });

  it('keeps an existing file without confirmation', async () => {
    config = join(dir, 'latchkey.json');
    writeFileSync(config, 'mine');

    expect(await run({}, new FakeTerminal({ isInteractive: true, answers: [false] }))).toBe(1);
    expect(readFileSync(config, 'utf8')).toBe('mine');
  });

  it('writes nothing if interrupted', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: [PLATFORM, ...ANSWERS.slice(0, 6)] });

    const failure = await failureOf(run({}, terminal));

    expect(failure.code).toBe('interrupted');
    expect(readdirSync(dir)).toEqual([]);
  });

  it('does not ask what a flag says', async () => {
    const answers = [PLATFORM, ...ANSWERS.slice(1)];
    const terminal = new FakeTerminal({ isInteractive: true, answers });

    await run({ environment: 'staging' }, terminal);

    expect(loadConfiguration(config).deployments).toHaveLength(1);
    expect(terminal.questions.map(({ question }) => question)).not.toContain('Platform environment');
  });

  it('complains about a wrong answer when it is typed', async () => {
    const terminal = new FakeTerminal({ isInteractive: true, answers: [PLATFORM, ...ANSWERS] });

    await run({}, terminal);

    const checked = (start: string, ...answers: string[]) => {
      const [, check] = terminal.checks.find(([question]) => question.startsWith(start))!;
      return answers.map((answer) => check(answer) ?? 'fine');
    };
    expect(checked('AWS region', 'eu-west-9', 'eu-west-1', '')).toEqual([
      expect.stringMatching(/^an AWS region, such as eu-west-1, /),
      'fine',
      'fine',
    ]);
    expect(checked('Another tenant', 'eu-west-2_AbcdEfghI', 'school a', 'eu-west-2_Other')).toEqual([
      'each tenant once',
      expect.stringContaining('1–128 letters, digits'),
      'fine',
    ]);
    const emails = ['a@example.org', 'team', 'a@example.org a@example.org', ''];
    const complaints = ['fine', 'an e-mail address', 'each e-mail address once', 'fine'];
    expect(checked('E-mail addresses', ...emails)).toEqual(complaints);
  });

  describe('for another issuer', () => {
    const AUTH0: InitFlags = {
      issuer: 'auth0',
      environment: 'production',
      tenants: ['acme'],
      scope: 'read:users',
      parameter: ['host=acme.eu.auth0.com', 'audience=https://api.example.com'],
    };
    const TENANT = {
      tenantId: 'acme',
      parameters: { host: 'acme.eu.auth0.com', audience: 'https://api.example.com' },
      tokens: [{ scope: 'read:users' }],
    };
    it('asks what its profile asks for, and writes no endpoints', async () => {
      const terminal = new FakeTerminal({
        isInteractive: true,
        answers: [
          ...['degreed', 'beta', 'eu', 'acme', '', 'users:read', true, 'content:read', false],
          ...['111122223333', 'eu-west-1', 'team@example.org', false],
        ],
      });

      const exitCode = await run({}, terminal);

      expect(exitCode).toBe(0);
      expect(read()).toEqual({
        $schema: './latchkey.schema.json',
        deployments: [
          {
            issuer: 'degreed',
            environment: 'beta',
            platformRegion: 'eu',
            account: '111122223333',
            region: 'eu-west-1',
            alarms: { emails: ['team@example.org'] },
            tenants: [{ tenantId: 'acme', tokens: [{ scope: 'users:read' }, { scope: 'content:read' }] }],
          },
        ],
      });
    });

    it('takes every answer from a flag, and prints the command that loads the credentials', async () => {
      const terminal = new FakeTerminal();

      await run({ ...AUTH0, account: '111122223333' }, terminal);

      expect(read().deployments).toEqual([
        { issuer: 'auth0', environment: 'production', account: '111122223333', tenants: [TENANT] },
      ]);
      const { next } = terminal.results[0]!.document as { next: string[] };
      expect(next.at(-1)).toBe(
        `npx latchkey credentials put --issuer auth0 --environment production --tenant acme --config ${config}`,
      );
    });

    it('adds the learning platform beside it, adds a tenant to it, and takes a profile by its path', async () => {
      const file = join(dir, 'own.json');
      const profile = { name: 'own', title: 'Own', tokenEndpoint: { path: '/token' } };
      writeFileSync(file, JSON.stringify(profile));
      const own: InitFlags = { issuer: file, environment: 'main', scope: 'read' };
      const add = (flags: InitFlags) => run({ add: true, ...flags });

      await run(AUTH0);
      await add(FLAGS);
      await add({ ...AUTH0, tenants: ['other'] });
      await add({ ...own, tenants: ['one'], tokenBaseUrl: 'https://own.example' });
      await add({ ...own, tenants: ['two'] });

      expect(read().deployments).toEqual([
        { issuer: 'auth0', environment: 'production', tenants: [TENANT, { ...TENANT, tenantId: 'other' }] },
        expect.objectContaining({ environment: 'staging', platformRegion: 'global' }),
        {
          issuer: file,
          environment: 'main',
          tokenBaseUrl: 'https://own.example',
          tenants: ['one', 'two'].map((tenantId) => ({ tenantId, tokens: [{ scope: 'read' }] })),
        },
      ]);
      expect(loadConfiguration(config).deployments).toHaveLength(3);
    });

    it.each<[InitFlags, string]>([
      [{ ...AUTH0, restore: true }, '--restore: found a value; allowed: nothing'],
      [
        { scope: 'read', environment: 'staging' },
        '--scope: found a value; allowed: nothing: it is for other issuers than learning-platform',
      ],
      [
        { issuer: 'auth0', tenants: ['acme'] },
        'init: found no --environment, --parameter host=…, --parameter audience=…; allowed: these flags',
      ],
      [{ ...AUTH0, issuer: 'aut0' }, 'issuer: found '],
      [{ ...FLAGS, contentBaseUrl: 'http://x' }, 'endpoints.staging.global.contentBaseUrl: found "http://x'],
      [
        { ...FLAGS, region: 'eu-west-9' },
        '--region: found eu-west-9; allowed: an AWS region, such as eu-west-1',
      ],
      [{ environment: 'stagin' }, '--environment: found stagin;'],
      [
        { platformRegion: 'mea' },
        'init: found no --environment, --tenants, --content-base-url, --content-token-base-url, ' +
          '--content-scopes; allowed: these flags, or a terminal that asks without --yes',
      ],
    ])('refuses %j, and writes nothing', async (flags, message) => {
      expect(await refused(flags)).toContain(message);
    });
  });

  describe('without a terminal', () => {
    it('asks nothing at a terminal with --yes', async () => {
      const terminal = new FakeTerminal({ isInteractive: true });

      expect(await run({ ...FLAGS, yes: true }, terminal)).toBe(0);
      expect(terminal.questions).toEqual([]);
    });

    it('replaces a file only with --yes', async () => {
      await run(FLAGS);

      const message = await refused({ ...FLAGS, environment: 'production' });
      await run({ ...FLAGS, environment: 'production', yes: true });

      expect(message).toContain('allowed: --add to add to it, --yes to replace it');
      expect(loadConfiguration(config).deployments).toMatchObject([{ environment: 'production' }]);
    });

    it('prints the next commands, which find the configuration and the tenant', async () => {
      const terminal = new FakeTerminal();

      await run(EVERY_FLAG, terminal);

      const [{ document, text }] = terminal.results as [{ document: { next: string[] }; text: string }];
      const [bootstrap, deploy, ...loads] = document.next;
      expect([bootstrap, deploy]).toEqual([
        `npx cdk bootstrap -c config=${config}`,
        `npx cdk deploy --all -c config=${config}`,
      ]);
      const load = 'npx latchkey credentials put --environment staging --platform-region mea --tenant';
      expect(loads).toEqual(EVERY_FLAG.tenants!.map((tenant) => `${load} ${tenant} --config ${config}`));
      expect(text).toContain('Next (the first once per account and AWS region)\n');
      document.next.forEach((command) => expect(text.split('\n')).toContain(`  ${command}`));
    });

    describe('with --add', () => {
      /** A file with fields that init does not know. */
      const EXISTING = {
        $schema: './latchkey.schema.json',
        prefix: 'acme',
        quotas: { alarms: 9000 },
        endpoints: {
          staging: {
            global: { contentBaseUrl: 'https://a.example/v1', contentTokenBaseUrl: 'https://b.example' },
          },
        },
        deployments: [
          {
            environment: 'staging',
            tags: { team: 'content' },
            tenants: [{ tenantId: 'first', tokens: [{ interface: 'content', scope: 'api/all' }] }],
          },
        ],
      };
      const TENANT: InitFlags = {
        add: true,
        environment: 'staging',
        tenants: ['second'],
        contentScopes: ['api/read'],
      };

      beforeEach(async () => {
        await run(FLAGS);
        writeFileSync(config, JSON.stringify(EXISTING));
      });

      it('adds a deployment, and keeps everything else', async () => {
        await run({ ...FLAGS, add: true, environment: 'production', region: 'us-east-1' });

        const added = { environment: 'production', region: 'us-east-1' };
        expect(read()).toMatchObject({ ...EXISTING, deployments: [...EXISTING.deployments, added] });
        expect(loadConfiguration(config).deployments).toHaveLength(2);
      });

      it('adds a tenant to a deployment, whose addresses are known, and brings the schema up to date', async () => {
        const schema = join(dir, 'config/latchkey.schema.json');
        writeFileSync(schema, '{}');

        await run(TENANT);

        const added = { tenantId: 'second', tokens: [{ interface: 'content', scope: 'api/read' }] };
        const [deployment] = EXISTING.deployments;
        expect(read()).toEqual({
          ...EXISTING,
          deployments: [{ ...deployment, tenants: [...deployment!.tenants, added] }],
        });
        expect(readFileSync(schema, 'utf8')).toBe(configurationJsonSchema());
      });

      it('loses no tenant when two commands add at the same time', async () => {
        const results = await Promise.allSettled(
          ['second', 'third'].map((tenant) => run({ ...TENANT, tenants: [tenant] })),
        );

        const failures = results.filter(({ status }) => status === 'rejected');
        expect(failures).toMatchObject([{ reason: { code: 'changed_meanwhile' } }]);
        const lost = results[0]!.status === 'rejected' ? 'second' : 'third';
        await run({ ...TENANT, tenants: [lost] });
        const tenantIds = loadConfiguration(config).deployments[0]!.tenants.map(({ tenantId }) => tenantId);
        expect(tenantIds.sort()).toEqual(['first', 'second', 'third']);
        expect(readdirSync(join(dir, 'config')).sort()).toEqual(['latchkey.json', 'latchkey.schema.json']);
      });

      it('takes the platform region of the environment’s only deployment, and the token that its restore needs', async () => {
        const restored = { interface: 'content', scope: 'api/write' };
        const [deployment] = EXISTING.deployments;
        const mea = {
          ...deployment,
          platformRegion: 'mea',
          restore: { available: true },
          tenants: [{ tenantId: 'first', tokens: [restored] }],
        };
        const endpoints = { staging: { mea: EXISTING.endpoints.staging.global } };
        writeFileSync(config, JSON.stringify({ ...EXISTING, endpoints, deployments: [mea] }));

        await run(TENANT);

        const tokens = [restored, { interface: 'content', scope: 'api/read' }];
        expect(loadConfiguration(config).deployments).toMatchObject([
          { platformRegion: 'mea', tenants: [{ tenantId: 'first' }, { tenantId: 'second', tokens }] },
        ]);
      });

      it.each<[InitFlags, string]>([
        [{ tenants: ['first'] }, 'allowed: each tenant only once per deployment'],
        [
          { region: 'us-east-1' },
          '--region: found a value; allowed: nothing: the deployment staging global exists',
        ],
        [{ account: '111122223333' }, '--account: found a value'],
        [{ alarmEmails: ['a@example.org'] }, '--alarm-emails: found a value'],
        [{ restore: true }, '--restore: found a value'],
        [
          { contentBaseUrl: 'https://c.example' },
          '--content-base-url: found another address than in the file; allowed: https://a.example/v1',
        ],
      ])('refuses another %j, and changes nothing', async (flags, message) => {
        expect(await refused({ ...TENANT, ...flags })).toContain(message);
      });

      it('refuses a file that is missing or invalid', async () => {
        writeFileSync(config, '{"deployments": 1}');

        const invalid = await refused(TENANT);
        rmSync(config);
        const missing = await failureOf(run(TENANT));

        expect(invalid).toMatch(/deployments: found 1; .*\nnothing was written$/s);
        expect(missing.message).toContain('--add: found no ');
      });
    });
  });
});
