import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { type CommandError } from '../../cli/command-error';
import type * as commandLine from '../../cli/program';
import { withVariables } from '../../cli/variables';
import { newFolder } from '../support/new-folder';
import { bundled } from './support/bundled';
import { commandsOf } from './support/command-line';
import { ENVIRONMENTS } from '../../core/deployment/platform';
import { DeployedAccount, TENANT } from './support/deployed-account';
import { FakeTerminal, type FakeTerminalOptions } from './support/fake-terminal';
import { profilesWithRole, roleSession, startSts } from './support/role-session';

const OURS = '111111111111';
const THEIRS = '222222222222';
const REGION = 'eu-west-1';

/** The lines to try of commands that need arguments, or do more with some; every other command is tried without any. */
const LINES_OF: Record<string, string[]> = {
  'credentials put': ['credentials put', 'credentials put --replace --revoke-previous'],
  'credentials rotate': ['credentials rotate --kind api-key'],
  'credentials revoke-previous': [
    'credentials revoke-previous --kind api-key',
    'credentials revoke-previous --kind client-credentials --yes',
  ],
  rollback: ['rollback --kind api-key', 'rollback --kind api-key --replace --yes'],
  status: ['status', 'status --json', `status --tenant ${TENANT}`],
  doctor: ['doctor', 'doctor --fix --yes'],
  'token show': ['token show', 'token show --reveal'],
  'token refresh': ['token refresh', 'token refresh --all'],
  restore: [
    'restore content-1 --author-ref author-1',
    'restore --from ids.txt --author-ref author-1 --yes',
    'restore --from ids.txt --author-ref author-1 --dry-run',
  ],
  'restore history': ['restore history', 'restore history --since 7d'],
};

/** Commands that work on no deployment, or on the laptop only. */
const WITHOUT_ACCOUNT = [
  'init',
  'issuer list',
  'issuer test',
  'issuer new',
  'local env',
  'local new-credentials',
  'local new-api-key',
  'local new-session',
  'local start',
  'sandbox',
  'conformance',
  'help',
  'completion',
];

/** A program of its own, without a configuration. It has the same rule: packages/aws-proof/test/caller.test.ts. */
const PROGRAM = 'prove';

const NAMES = commandsOf().map(({ name }) => name);
const ON_AWS = commandsOf()
  .filter(({ name, options }) => options.includes('--profile') && name !== PROGRAM)
  .map(({ name }) => name);
const LINES = ON_AWS.flatMap((name) => LINES_OF[name] ?? name);
/** One for each command. */
const EACH = ON_AWS.map((name) => LINES_OF[name]?.[0] ?? name);
/** Answers to every question, so that a command that asks goes on. */
const ANSWERING = { isInteractive: true, showsOutputToPerson: true, answers: Array<boolean>(9).fill(true) };
const IN_SCRIPT = {
  showsOutputToPerson: true,
  input: '{"apiKey":"canary","validUntil":"2099-01-01T00:00:00Z"}',
};
const LOOK_UP = 'AmazonSSM.GetParameter /latchkey/staging/global/credential-watch-arn';
const LOOK_UPS = [LOOK_UP.replace('staging', 'production'), LOOK_UP];
const TOKEN = `latchkey/staging/global/${TENANT}/token/content/api-read`;

const folder = newFolder();
let program: typeof commandLine;
let started: DeployedAccount[] = [];
/** What was in the accounts at first. */
const states = new WeakMap<DeployedAccount, object>();
const workingDir = process.cwd();

beforeAll(async () => {
  program = bundled(folder, 'program');
  process.chdir(folder);
});

afterAll(() => process.chdir(workingDir));

beforeEach(() => {
  writeFileSync(join(folder, 'ids.txt'), 'content-1\ncontent-2\n');
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const account of started) await account.stop();
  started = [];
});

async function deployed(accountId: string, region?: string): Promise<DeployedAccount> {
  const account = await DeployedAccount.start(accountId, region);
  started.push(account);
  states.set(account, account.state());
  return account;
}

interface Place {
  account?: string;
  /** Empty to name none. @default eu-west-1 */
  region?: string;
  /** ARN of the tenant's client credentials. @default a secret of Latchkey */
  adopted?: string;
  /** The account of a second deployment, which has the same names but for the environment. @default none */
  production?: string;
  /** @default none */
  awsProfile?: string;
}

/** Checks that a command only made these calls, without a question. */
function expectUntouched(
  { terminal }: { terminal: FakeTerminal },
  found: DeployedAccount,
  calls = [LOOK_UP],
) {
  expect(terminal.questions).toEqual([]);
  expect(found.calls.sort()).toEqual(calls);
  expect(found.state()).toEqual(states.get(found));
}

/** Checks that a command ended because the deployment is elsewhere. */
function expectRefused(ended: Awaited<ReturnType<typeof run>>, found: DeployedAccount, calls = [LOOK_UP]) {
  expect(ended).toMatchObject({ exitCode: 77, code: 'other_account' });
  expectUntouched(ended, found, calls);
}

function othersThanLookUps({ calls }: DeployedAccount): string[] {
  return calls.filter((call) => call !== LOOK_UP);
}

/** The two environments must have addresses of their own. */
const ENDPOINTS = Object.fromEntries(
  ENVIRONMENTS.map((environment) => [
    environment,
    {
      global: {
        contentBaseUrl: `https://content.${environment}.example`,
        contentTokenBaseUrl: `https://auth.${environment}.example`,
        tenantServiceUrl: `https://tenants.${environment}.example`,
      },
    },
  ]),
);

function configurationOf({ account, region = REGION, adopted, production, awsProfile }: Place): object {
  const adopt = adopted && { clientCredentials: adopted };
  const tokens = [{ interface: 'content', scope: 'api/read' }];
  // JSON leaves out what is undefined.
  const named = { region: region || undefined, awsProfile };
  const staging = { environment: 'staging', account, tenants: [{ tenantId: TENANT, tokens, adopt }] };
  const live = {
    environment: 'production',
    account: production,
    tenants: [{ tenantId: 'eu-west-2_Live', tokens }],
  };
  const deployments = production === undefined ? [staging] : [staging, live];
  return { endpoints: ENDPOINTS, deployments: deployments.map((each) => ({ ...each, ...named })) };
}

/** Runs a command line with a configuration that names this place. */
async function run(
  line: string,
  place: Place,
  env: NodeJS.ProcessEnv,
  terminal = new FakeTerminal({ showsOutputToPerson: true }),
) {
  jest.replaceProperty(process, 'env', { ...process.env, ...env });
  const config = join(folder, 'latchkey.json');
  writeFileSync(config, JSON.stringify(configurationOf(place)));
  const surroundings = { projectRoot: workingDir, workingDir: folder, env: {} };
  let exitCode: number | undefined;
  const built = program.buildProgram(
    async (command, given) => {
      const flags = withVariables({ ...given, config }, {});
      const context = { terminal, ...surroundings, interrupted: terminal.interrupted };
      exitCode = await command(
        {
          ...context,
          system: () => program.openSystem(flags, context),
          nowMs: Date.now,
          sleep: async () => undefined,
          runProgram: async () => 0,
        },
        flags,
      );
    },
    () => undefined,
  );
  try {
    await built.parseAsync(line.split(' '), { from: 'user' });
    return { exitCode, terminal };
  } catch (error) {
    if ((error as Error).name !== 'CommandError') throw error;
    const { exitCode, code, message, advice, details } = error as CommandError;
    return { exitCode, code, text: `${message}\n${advice}`, details, terminal };
  }
}

describe('every command', () => {
  it('is in this test', () => {
    expect(NAMES.sort()).toEqual([...ON_AWS, PROGRAM, ...WITHOUT_ACCOUNT].sort());
    expect(ON_AWS).toEqual(expect.arrayContaining(Object.keys(LINES_OF)));
  });

  describe.each<[string, string, string, FakeTerminalOptions]>([
    ['account', THEIRS, REGION, ANSWERING],
    ['account, in a script', THEIRS, REGION, IN_SCRIPT],
    ['region', OURS, 'us-east-1', ANSWERING],
  ])('refuses another %s', (_, account, region, options) => {
    it.each(LINES)('without reading or writing anything: %s', async (line) => {
      const elsewhere = await deployed(account, region);

      const ended = await run(line, { account: OURS }, elsewhere.env(), new FakeTerminal(options));

      expectRefused(ended, elsewhere);
      expect(ended.details).toEqual({ account, region });
      expect(ended.text).toMatch(new RegExp(`${account}, ${region}.*${OURS}, eu-west-1.*--profile`, 's'));
    });
  });

  it.each(LINES)('goes on in the configured account: %s', async (line) => {
    const ours = await deployed(OURS);

    const ended = await run(line, { account: OURS }, ours.env());

    expect(ended.code).not.toBe('other_account');
    expect(othersThanLookUps(ours)).not.toEqual([]);
  });
});

const ADOPTED_OF_OTHERS = `arn:aws:secretsmanager:eu-west-1:${THEIRS}:secret:legacy/creds-AbCdEf`;

test.each<[string, string, string, Place, string[]]>([
  ['the region of the credentials is another', OURS, 'us-east-1', { account: OURS, region: '' }, [LOOK_UP]],
  ['all of several are elsewhere', '333333333333', REGION, { account: OURS, production: THEIRS }, LOOK_UPS],
  ['it adopts a secret of another account', OURS, REGION, { adopted: ADOPTED_OF_OTHERS }, [LOOK_UP]],
])('credentials put is refused if %s', async (_, account, region, place, calls) => {
  const found = await deployed(account, region);

  const ended = await run('credentials put', place, found.env(), new FakeTerminal(ANSWERING));

  expectRefused(ended, found, calls);
});

test('a configuration without a region goes on in that of the AWS credentials', async () => {
  const here = await deployed(OURS);

  await run('credentials put', { account: OURS, region: '' }, here.env());

  expect(othersThanLookUps(here)).not.toEqual([]);
});

test('of several deployments, one that is elsewhere is refused when it is chosen', async () => {
  const theirs = await deployed(THEIRS);
  const terminal = new FakeTerminal({ ...ANSWERING, answers: ['staging'] });

  const ended = await run('credentials put', { account: OURS, production: THEIRS }, theirs.env(), terminal);

  expect(terminal.questions.splice(0)).toHaveLength(1);
  expectRefused(ended, theirs, LOOK_UPS);
});

test.each(['status', 'credentials put'])('Ctrl-C ends the look-up: %s', async (line) => {
  const ours = await deployed(OURS);
  const terminal = new FakeTerminal();
  terminal.interrupt();

  const ended = await run(line, { account: OURS }, ours.env(), terminal);

  expect(ended).toMatchObject({ exitCode: 130, code: 'interrupted' });
  expect(othersThanLookUps(ours)).toEqual([]);
});

describe('with a configuration that names no account', () => {
  it.each(EACH)('a script gets told how to name the one that was found: %s', async (line) => {
    const found = await deployed(THEIRS);

    const ended = await run(line, {}, found.env());

    expect(ended).toMatchObject({ exitCode: 2, code: 'usage' });
    expect(ended.text).toMatch(
      /^--account: found nothing.*222222222222 \(eu-west-1\).*--account 222222222222/s,
    );
    expectUntouched(ended, found);
  });

  it.each(EACH)('a person is asked first, and declines: %s', async (line) => {
    const found = await deployed(THEIRS);
    const terminal = new FakeTerminal({ ...ANSWERING, answers: [false] });

    const ended = await run(line, {}, found.env(), terminal);

    expect(ended).toMatchObject({ exitCode: 1, code: 'declined' });
    const question = expect.stringMatching(/latchkey-staging-global in 222222222222, eu-west-1/) as string;
    expect(terminal.questions.splice(0)).toEqual([{ question, isHidden: false }]);
    expectUntouched(ended, found);
  });

  it.each(EACH)('a person is asked once and agrees, or confirms it by --account: %s', async (line) => {
    const [asked, flagged] = [await deployed(OURS), await deployed(OURS)];
    const terminal = new FakeTerminal({ ...ANSWERING, answers: [true] });

    await run(line, {}, asked.env(), terminal);
    const ended = await run(`${line} --account ${OURS}`, {}, flagged.env());

    const questions = terminal.questions.filter(({ question }) => question.includes(OURS));
    expect(questions).toEqual(terminal.questions.slice(0, 1));
    expect(othersThanLookUps(asked)).not.toEqual([]);
    expect(ended.code).not.toBe('other_account');
    expect(othersThanLookUps(flagged)).not.toEqual([]);
  });

  it.each(EACH)('--account refuses another: %s', async (line) => {
    const found = await deployed(THEIRS);

    const ended = await run(`${line} --account ${OURS}`, {}, found.env(), new FakeTerminal(ANSWERING));

    expectRefused(ended, found);
    expect(ended.text).toMatch(/222222222222, eu-west-1.*111111111111, as in --account/s);
  });
});

test('the profile of a deployment assumes a role of its account, with the MFA code that a person enters', async () => {
  const ours = await deployed(OURS);
  // The local account has no MFA devices.
  const key = ours.aws.roleKey({ Effect: 'Allow', Action: '*', Resource: '*' });
  const sts = await startSts(() => ({ body: roleSession(key) }));
  const serial = 'arn:aws:iam::222222222222:mfa/anna';
  const profiles = join(folder, 'profiles');
  writeFileSync(profiles, profilesWithRole(`arn:aws:iam::${OURS}:role/operators`, serial));
  const env = {
    ...ours.env(),
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
    AWS_CONFIG_FILE: profiles,
    AWS_ENDPOINT_URL_STS: sts.url,
  };
  const terminal = new FakeTerminal({ ...ANSWERING, answers: ['123456'] });

  const ended = await run('status', { account: OURS, awsProfile: 'operators' }, env, terminal);
  sts.stop();

  expect(ended.code).toBeUndefined();
  expect(othersThanLookUps(ours)).not.toEqual([]);
  expect(terminal.questions).toEqual([{ question: `Enter MFA code for ${serial}:`, isHidden: true }]);
  expect(terminal.visibleText()).not.toContain('123456');
});

test.each(['credential-watch-arn', 'token-refresh-arn'])(
  'a function of another account is not invoked, even if the confirmed one publishes it: %s',
  async (leaf) => {
    const found = await deployed(OURS);
    const parameter = found.aws.account.parameters.get(`/latchkey/staging/global/${leaf}`)!;
    parameter.value = parameter.value.replace(OURS, THEIRS);

    const ended = await run(`token refresh --account ${OURS}`, {}, found.env());

    expect(ended).toMatchObject({ exitCode: 77, code: 'other_account' });
    expect(found.aws.invoker.invoked).toEqual([]);
  },
);

describe('--account', () => {
  it('is in the commands that are printed', async () => {
    const found = await deployed(OURS);
    for (const { versions } of found.aws.account.secrets.values()) versions.delete('LATCHKEY_CANDIDATE');

    const ended = await run(`credentials rotate --kind api-key --account ${OURS}`, {}, found.env());

    expect(ended).toMatchObject({ code: 'nothing_staged' });
    expect(ended.text).toContain(`--tenant ${TENANT} --config`);
    expect(ended.text).toContain(`--account ${OURS}`);
  });

  it('does not replace the one in the configuration', async () => {
    const found = await deployed(THEIRS);

    expectRefused(await run(`status --account ${THEIRS}`, { account: OURS }, found.env()), found);
  });

  const of12 = 'allowed: an AWS account id of 12 digits';
  it.each([
    ['11112222333', `found 11112222333; ${of12}`],
    ['1111222233334', `found 1111222233334; ${of12}`],
    ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', `found something else; ${of12}`],
    [`${OURS} --local`, 'found a value with --local; allowed: only one of them'],
  ])('of %s is one clear error', async (value, error) => {
    const ended = await run(`status --account ${value}`, {}, {});

    expect(ended).toMatchObject({ exitCode: 2, code: 'usage' });
    expect(ended.text?.split('\n')[0]).toBe(`--account: ${error}`);
  });
});

describe('somebody who may not read the parameters', () => {
  const GET = 'GetSecretValue';
  const DESCRIBE = 'DescribeSecret';
  const allowed = (actions: string[]): PolicyStatement => ({
    Effect: 'Allow',
    Action: actions.map((action) => `secretsmanager:${action}`),
    Resource: `arn:aws:secretsmanager:*:*:secret:${TOKEN}-*`,
  });

  // The stored text is no token: who may read it gets `no_token`.
  it.each<[string, string, string[], string, string[]]>([
    ['the resource', THEIRS, [GET], 'other_account', []],
    ['the resource', OURS, [GET], 'no_token', [GET]],
    ['nothing', THEIRS, [GET, DESCRIBE], 'other_account', [DESCRIBE]],
    ['nothing', OURS, [GET, DESCRIBE], 'no_token', [DESCRIBE, GET]],
    ['nothing', OURS, [GET], 'access_denied', [DESCRIBE]],
  ])(
    'and whose denial names %s: with %s configured and a right to %j, it ends with %s after %j',
    async (names, account, actions, code, calls) => {
      const found = await deployed(OURS);
      found.namesDeniedResources = names !== 'nothing';
      const env = found.envOf(allowed(actions));

      const ended = await run('token show --reveal', { account }, env, new FakeTerminal(ANSWERING));

      expect(ended.code).toBe(code);
      if (code === 'access_denied') expect(ended.text).toContain('ssm:GetParameter');
      expect(found.calls).toEqual([LOOK_UP, ...calls.map((call) => `secretsmanager.${call} ${TOKEN}`)]);
    },
  );

  it('is not told that the deployment is there, because AWS also denies what does not exist', async () => {
    const empty = await deployed(THEIRS);
    empty.unpublish();
    const terminal = new FakeTerminal({ ...ANSWERING, answers: [false] });

    await run('token show --reveal', {}, empty.envOf(allowed([GET])), terminal);
    const inScript = await run('token show --reveal', {}, empty.envOf(allowed([GET])));

    const [asked] = terminal.questions;
    expect(asked!.question).toMatch(/latchkey-staging-global in 222222222222, eu-west-1\. Is this the right/);
    expect(inScript.text).toContain('222222222222 (eu-west-1), the account of your AWS credentials');
    expect(`${asked!.question} ${inScript.text}`).not.toMatch(/(Found|was found)/);
  });
});

describe('a deployment without a stack', () => {
  const adopted = `arn:aws:secretsmanager:eu-west-1:${OURS}:secret:legacy/creds-AbCdEf`;
  it.each<[string, Place, string]>([
    ['its secrets, which outlive the stack', { account: OURS }, 'client-credentials'],
    ['secrets whose ARN is not in the configuration', { adopted }, 'api-key'],
  ])('is found by %s', async (_, place, kind) => {
    const found = await deployed(THEIRS);
    found.unpublish();

    const ended = await run('credentials put', place, found.env(), new FakeTerminal(ANSWERING));

    const secret = `latchkey/staging/global/${TENANT}/${kind}`;
    expectRefused(ended, found, [LOOK_UP, `secretsmanager.DescribeSecret ${secret}`]);
  });

  it.each(EACH)('and without secrets is not read or written: %s', async (line) => {
    const found = await deployed(OURS);
    found.unpublish();
    found.aws.account.secrets.clear();

    const ended = await run(line, {}, found.env(), new FakeTerminal(ANSWERING));

    expect(ended.exitCode).toBe(1);
    expect(ended.terminal.questions).toEqual([]);
    const lookUps = [
      LOOK_UP,
      'secretsmanager.DescribeSecret',
      'AmazonSSM.GetParameter /cdk-bootstrap/',
      'GET /2016-08-19/account-settings',
    ];
    expect(found.calls.filter((call) => !lookUps.some((each) => call.startsWith(each)))).toEqual([]);
  });

  it('is not looked for in the bootstrap stack of another account', async () => {
    const found = await deployed(THEIRS);
    found.unpublish();
    found.aws.account.secrets.clear();
    const name = '/cdk-bootstrap/hnb659fds/version';
    const arn = `arn:aws:ssm:eu-west-1:${THEIRS}:parameter${name}`;
    found.aws.account.parameters.set(name, { arn, name, value: '30' });

    const ended = await run('doctor', { account: OURS }, found.env());

    expect(ended.exitCode).toBe(77);
    expect(JSON.stringify(ended.terminal.results)).toContain('other_account');
  });
});

describe.each(['status', 'doctor'])('%s', (words) => {
  it('shows the deployments that are in the configured account, and reads no others', async () => {
    const found = await deployed(OURS);
    const ended = await run(words, { account: OURS, production: THEIRS }, found.env());

    expect(ended.exitCode).toBe(77);
    expect(ended.terminal.results[0]!.document).toMatchObject({
      deployments: [
        { environment: 'staging', tenants: [{ tenantId: TENANT }] },
        { environment: 'production', error: { code: 'other_account' } },
      ],
    });
    expect(found.calls.filter((call) => call.includes('production'))).toEqual([
      LOOK_UP.replace('staging', 'production'),
    ]);
  });
});
