import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import { loadSharedConfigFiles } from '@smithy/core/config';

import { callHttps } from '../src/https-call';
import { runCommand } from '../src/command';
import { Sha256 } from '../src/testing/signed-fetch';
import { gone } from './support/processes';

const PACKAGE = join(__dirname, '..');
/** The apps' commands, as the README has them. */
const COMMANDS = [
  ...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/^npx cdk-on-loopback --app "(.+)"$/gm),
].map(([, app]) => app!);
const appOf = (name: string) => COMMANDS.find((command) => command.includes(`/${name}.`))!;

/** The command in this process, as somebody at a terminal uses it. */
class Terminal {
  readonly lines: string[] = [];
  readonly failures: string[] = [];
  readonly stateDir: string;
  readonly exited: Promise<number>;
  readonly #input = new PassThrough();
  readonly #stop = new AbortController();
  #told: () => void = () => undefined;

  constructor(folder: string, args: string[], workingDir = PACKAGE) {
    this.stateDir = join(folder, 'run');
    this.exited = runCommand(['--state-dir', this.stateDir, ...args], {
      workingDir,
      input: this.#input,
      say: (line) => {
        this.lines.push(line);
        this.#told();
      },
      fail: (line) => this.failures.push(line),
      signal: this.#stop.signal,
    });
    void this.exited.finally(() => this.#told());
  }

  /** The first line that matches, as soon as there is one. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      for (const line of this.lines) {
        const found = pattern.exec(line);
        if (found) return found;
      }
      const ended = await Promise.race([
        this.exited,
        new Promise<undefined>((told) => (this.#told = () => told(undefined))),
      ]);
      if (ended !== undefined) throw new Error(`it exited with ${ended}:\n${this.lines.join('\n')}`);
    }
  }

  async output(id: string): Promise<string> {
    return (await this.line(new RegExp(`^  ${id}\\w* = (.+)$`)))[1]!;
  }

  async advance(duration: string): Promise<void> {
    const before = this.lines.length;
    this.#input.write(`advance ${duration}\n`);
    await this.line(/^it is /);
    this.lines.splice(
      before,
      this.lines.length,
      ...this.lines.slice(before).filter((l) => !/^it is /.test(l)),
    );
  }

  /** What SDKs read from the file that the command names. */
  async client() {
    const filepath = join(this.stateDir, 'aws');
    const { configFile } = await loadSharedConfigFiles({ filepath, configFilepath: filepath });
    const profile = configFile.default;
    const credentials = {
      accessKeyId: profile!.aws_access_key_id!,
      secretAccessKey: profile!.aws_secret_access_key!,
    };
    return { endpoint: profile!.endpoint_url!, region: profile!.region!, credentials };
  }

  stop(): Promise<number> {
    this.#stop.abort();
    return this.exited;
  }
}

let folder: string;
let terminal: Terminal;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cdk-on-loopback-'))));
afterEach(async () => {
  await terminal.stop();
  rmSync(folder, { recursive: true });
});

it('rotates a secret by its own function, and sets off the alarm when that fails', async () => {
  terminal = new Terminal(folder, ['--app', appOf('rotating-secret')]);
  await terminal.line(/^ready/);
  const config = await terminal.client();
  const secrets = new SecretsManagerClient(config);
  const SecretId = await terminal.output('ExportSecretArn');
  const read = async () => (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString;
  const before = await read();

  await terminal.advance('8d');

  expect(await read()).not.toBe(before);

  const FunctionName = await terminal.output('ExportFunctionName');
  const Payload = JSON.stringify({ Step: 'testSecret' });
  await new LambdaClient(config).send(new InvokeCommand({ FunctionName, Payload }));
  await terminal.advance('10m');

  expect(await terminal.line(/^alarm .*RotationFails.*: OK → ALARM/)).toBeDefined();
});

it("answers one role's signed requests, and says that another's was denied", async () => {
  terminal = new Terminal(folder, ['--app', appOf('signed-api')]);
  await terminal.line(/^ready/);
  const config = await terminal.client();
  const url = new URL('greeting', await terminal.output('ApiEndpoint'));
  const callAs = async (RoleArn: string) => {
    const assume = new AssumeRoleCommand({ RoleArn, RoleSessionName: 'test' });
    const { Credentials } = await new STSClient(config).send(assume);
    const signer = new SignatureV4({
      service: 'execute-api',
      region: config.region,
      credentials: {
        accessKeyId: Credentials!.AccessKeyId!,
        secretAccessKey: Credentials!.SecretAccessKey!,
        sessionToken: Credentials!.SessionToken!,
      },
      sha256: Sha256 as never,
    });
    const { hostname, port, pathname: path } = url;
    const { headers } = await signer.sign({
      method: 'GET',
      protocol: 'https:',
      hostname,
      path,
      headers: { host: `${hostname}:${port}` },
    });
    const ca = readFileSync(join(terminal.stateDir, 'ca.pem'), 'utf8');
    return callHttps({ method: 'GET', url: url.href, ca, headers, timeoutMs: 10_000 });
  };

  const guest = await callAs(await terminal.output('GuestRole'));
  const stranger = await callAs(await terminal.output('StrangerRole'));

  expect(guest).toEqual({
    status: 200,
    text: expect.stringContaining('assumed-role/signed-api-Guest') as string,
  });
  expect(stranger.status).toBe(403);
  expect(
    await terminal.line(/^warning: .*signed-api-Stranger.* is not authorized to perform: execute-api:Invoke/),
  ).toBeDefined();
});

it('runs a schedule, whose function puts messages into a queue, and removes its files at the end', async () => {
  terminal = new Terminal(folder, ['--app', appOf('scheduled-queue')]);
  await terminal.line(/^ready/);
  const QueueUrl = await terminal.output('QueueUrl');

  await terminal.advance('10m');

  const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
  const { Messages = [] } = await new SQSClient(await terminal.client()).send(receive);
  const [first, second] = Messages.map(({ Body }) => Date.parse(Body!));
  expect(second! - first!).toBeCloseTo(5 * 60_000, -4);
  expect(await terminal.stop()).toBe(0);
  expect(existsSync(terminal.stateDir)).toBe(false);
});

it('takes the command and the context of cdk.json', async () => {
  const app = 'echo "$CDK_CONTEXT_JSON" > seen; exit 3';
  writeFileSync(join(folder, 'cdk.json'), JSON.stringify({ app, context: { flag: true } }));
  terminal = new Terminal(folder, [], folder);

  expect(await terminal.exited).toBe(1);
  expect(JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'))).toEqual({ flag: true });
});

it('ends what the app has started, if it is interrupted', async () => {
  const file = join(folder, 'pid');
  terminal = new Terminal(folder, ['--app', `sleep 600 & echo $! > ${file}; wait`]);
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await nextTurn();

  expect(await terminal.stop()).toBe(0);
  await gone(Number(readFileSync(file, 'utf8')));
});

it.each([
  [[], 2, '--app: found nothing, and no app in cdk.json; allowed: a command, or --assembly'],
  [['--app', 'a', '--assembly', 'b'], 2, '--app, --assembly: found both; allowed: one of them'],
  [['--assembly', 'a', '--port', '99999'], 2, '--port: found 99999; allowed: 0–65535'],
  [['--fly'], 2, "arguments: Unknown option '--fly'"],
  [
    ['--assembly', 'a', '--state-dir', PACKAGE],
    2,
    `--state-dir: found ${PACKAGE}, which exists; allowed: a new folder`,
  ],
  [['--assembly', 'nowhere'], 1, `cannot read ${join(PACKAGE, 'nowhere/manifest.json')}`],
  [['--app', 'exit 3'], 1, '--app: found exit code 3; allowed: 0'],
])('says what is wrong with %j', async (args, exitCode, message) => {
  terminal = new Terminal(folder, args);

  expect(await terminal.exited).toBe(exitCode);
  expect(terminal.failures[0]).toContain(`cdk-on-loopback: ${message}`);
  expect(existsSync(join(folder, 'run'))).toBe(false);
});
