import { CommandError } from '../../../cli/command-error';
import { prepareCommand, type ProveCommand } from '../src/prove-command';
import { QUESTIONS } from '../src/questions/all';
import { FakeTerminal, type FakeTerminalOptions } from '../../../test/cli/support/fake-terminal';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';

const OURS = '111111111111';
const THEIRS = '222222222222';
const PERSON: FakeTerminalOptions = { isInteractive: true };

const environment = { ...process.env };
let aws: LocalAws;

beforeEach(async () => {
  aws = new LocalAws(OURS);
  await aws.start();
});

afterEach(async () => {
  process.env = { ...environment };
  await aws.stop();
});

/** Runs a command line as the administrator of the account. */
async function prove(line: string, options: FakeTerminalOptions = {}, env: NodeJS.ProcessEnv = {}) {
  const { accessKeyId, secretAccessKey } = aws.administrator;
  process.env = {
    PATH: environment.PATH,
    AWS_ENDPOINT_URL: aws.url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    ...env,
  };
  const terminal = new FakeTerminal(options);
  const surroundings = {
    env: process.env,
    workingDir: '/nowhere',
    projectRoot: '/nowhere',
    interrupted: terminal.interrupted,
  };
  const args = line.split(' ').filter(Boolean);
  const ended = await prepareCommand(args, terminal, surroundings).catch((error: CommandError) => error);
  const failure = ended instanceof CommandError ? ended : undefined;
  const text = `${failure?.message}\n${failure?.advice}`;
  return { exitCode: failure?.exitCode, code: failure?.code, text, failure, prepared: ended as ProveCommand };
}

describe('the account', () => {
  it('is that of the AWS credentials, in the region of the environment, and no endpoint is taken for AWS', async () => {
    const { prepared } = await prove('', PERSON);

    expect(prepared).toMatchObject({
      caller: {
        location: { partition: 'aws', region: 'eu-west-1', accountId: OURS },
        endpoint: new URL(aws.url).host,
      },
      options: { questions: QUESTIONS.filter(({ slow }) => !slow), results: '.latchkey/prove' },
    });
  });

  it('is looked for in the named region', async () => {
    const { prepared } = await prove('--region eu-west-1', PERSON, { AWS_REGION: 'us-east-1' });

    expect(prepared.caller.location.region).toBe('eu-west-1');
  });

  it('is refused if --account names another one', async () => {
    const ended = await prove(`--account ${THEIRS} --yes`, PERSON);

    expect(ended).toMatchObject({ exitCode: 77, code: 'other_account' });
    expect(ended.failure!.details).toEqual({ account: OURS, region: 'eu-west-1' });
    expect(ended.text).toMatch(/111111111111, eu-west-1.*222222222222.*--profile/s);
  });

  it.each(['--only token', '--yes', `--account ${OURS}`])(
    'must be named in a script, with --yes: %s',
    async (line) => {
      const ended = await prove(line);

      expect(ended).toMatchObject({ exitCode: 2, code: 'usage' });
      expect(ended.text).toMatch(/^--account and --yes: found not both.*--account 111111111111 --yes$/s);
    },
  );

  it('is used by a script that names it', async () => {
    const ended = await prove(`--account ${OURS} --yes --clean`);

    expect(ended.prepared).toMatchObject({
      options: { clean: true },
      caller: { location: { accountId: OURS } },
    });
  });

  it('needs a region', async () => {
    const ended = await prove('', PERSON, { AWS_REGION: '' });

    expect(ended).toMatchObject({ exitCode: 2, code: 'usage' });
    expect(ended.text).toMatch(/^--region: found nothing; allowed: an AWS region/);
  });

  it('needs credentials that AWS accepts', async () => {
    const ended = await prove('', PERSON, { AWS_ACCESS_KEY_ID: 'AKIAUNKNOWN000000000' });

    expect(ended).toMatchObject({ exitCode: 77, code: 'not_signed_in' });
    expect(ended.text).toContain('--profile');
  });
});

describe('options', () => {
  it.each([
    ['', QUESTIONS.filter(({ slow }) => !slow)],
    ['--slow', QUESTIONS],
    ['--only silence,token', QUESTIONS.filter(({ id }) => ['token', 'silence'].includes(id))],
  ])('choose questions: %s', async (line, expected) => {
    const { prepared } = await prove(line, PERSON);

    expect(prepared.options.questions).toEqual(expected);
  });

  it.each([
    ['--only stores', `--only: found stores; allowed: ${QUESTIONS.map(({ id }) => id).join(', ')}`],
    ['--only=', '--only: found an empty text; allowed: a value'],
    ['--account 12345', '--account: found 12345; allowed: an AWS account id of 12 digits'],
    ['--region Ireland', '--region: found Ireland; allowed: an AWS region such as eu-west-1'],
    ['--run prove-3f9a2c41', '--run: found no --clean; allowed: with --clean'],
    ['--clean --run legacy', '--run: found legacy; allowed: prefixes of runs such as prove-3f9a2c41'],
    ['--local --profile x', '--profile: found a value with --local; allowed: only one of them'],
    [`--local --account ${OURS}`, '--account: found a value with --local; allowed: only one of them'],
    ['--state-dir x', '--state-dir: found a value without --local; allowed: with --local'],
  ])('that are wrong: %s', async (line, message) => {
    const ended = await prove(line, PERSON);

    expect(ended).toMatchObject({ exitCode: 2, code: 'usage' });
    expect(ended.text.split('\n')[0]).toBe(message);
  });
});
