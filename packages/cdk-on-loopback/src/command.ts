import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { parseArgs } from 'node:util';

import { z } from 'zod';
import { Account } from './account';
import { type AccountServices, startAccountServices } from './account-services';
import { HostError } from './host-error';
import { RunClock } from './run-clock';
import { type CloudAssembly, DEFAULT_ACCOUNT_ID, DEFAULT_REGION, readAssembly } from './template/assembly';
import { type ProvisionedStack } from './template/provision';
import { TemplateError } from './template/template';

const USAGE = `Usage: cdk-on-loopback [--app "COMMAND" | --assembly FOLDER] [--port PORT] [--state-dir FOLDER]

  --app "COMMAND"     the command that synthesizes your app (the one in cdk.json)
  --assembly FOLDER   a finished cloud assembly, such as cdk.out
  --port PORT         of the AWS endpoint; 0, the default, picks a free one
  --state-dir FOLDER  new folder for the files of the run, which is removed at the end (.cdk-on-loopback)

While it runs, type "advance 90m" (s, m, h or d) to move its clock, and Ctrl-C to stop it.`;

/** The surroundings of a run: its folder, input and output, and the signal that stops it. */
export interface CommandContext {
  readonly workingDir: string;
  readonly input: Readable;
  /** Prints a line. */
  readonly say: (line: string) => void;
  /** Prints why it ends. */
  readonly fail: (line: string) => void;
  readonly signal: AbortSignal;
}

interface Options {
  readonly app: string | undefined;
  readonly assembly: string | undefined;
  /** The CDK context of the app. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly port: number;
  readonly stateDir: string;
}

/** An option or file is not allowed. The message names it, the value found and what is allowed. */
class InputError extends Error {}

/**
 * Runs the command until its signal is aborted.
 * @returns the exit code: 2 for faulty options, 1 if the app cannot be run
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const options = readOptions(args, context.workingDir);
    if (options === undefined) context.say(USAGE);
    else await run(options, context);
    return 0;
  } catch (error) {
    if (context.signal.aborted) return 0;
    if (error instanceof InputError) {
      context.fail(`cdk-on-loopback: ${error.message}\n\n${USAGE}`);
      return 2;
    }
    if (!(error instanceof HostError || error instanceof TemplateError)) throw error;
    context.fail(`cdk-on-loopback: ${error.message}`);
    return 1;
  }
}

/** @returns undefined if only help is asked for */
function readOptions(args: readonly string[], workingDir: string): Options | undefined {
  const { app, assembly, port = '0', help, 'state-dir': stateDir = '.cdk-on-loopback' } = parseOptions(args);
  if (help) return undefined;
  if (app !== undefined && assembly !== undefined)
    throw new InputError('--app, --assembly: found both; allowed: one of them');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new InputError(`--port: found ${port}; allowed: 0–65535`);
  const file = assembly === undefined ? readCdkJson(workingDir) : {};
  if ((app ?? assembly ?? file.app) === undefined)
    throw new InputError('--app: found nothing, and no app in cdk.json; allowed: a command, or --assembly');
  return {
    app: app ?? file.app,
    assembly,
    context: file.context ?? {},
    port: Number(port),
    stateDir: resolve(workingDir, stateDir),
  };
}

const cdkJson = z.looseObject({
  app: z.string().optional(),
  context: z.record(z.string(), z.unknown()).optional(),
});

/** The app's command and context, whose flags change what it synthesizes; empty without a file. */
function readCdkJson(workingDir: string): z.output<typeof cdkJson> {
  const file = join(workingDir, 'cdk.json');
  if (!existsSync(file)) return {};
  try {
    return cdkJson.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new InputError(`${file}: found ${(error as Error).name}; allowed: the JSON that the CDK reads`);
  }
}

function parseOptions(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const options = {
      app: text,
      assembly: text,
      port: text,
      'state-dir': text,
      help: { type: 'boolean' },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new InputError(`arguments: ${(error as Error).message.split('. ')[0]!}`);
  }
}

async function run(options: Options, context: CommandContext): Promise<void> {
  const { port, stateDir } = options;
  const { workingDir, say, signal } = context;
  takeFolder(stateDir);
  let services: AccountServices | undefined;
  try {
    const assembly = await assemblyOf(options, context);
    const account = new Account(assembly.accountId, assembly.region);
    const clock = new RunClock({
      onError: (error) => say(`warning: a timer failed: ${(error as Error).message}`),
    });
    const caFile = join(stateDir, 'ca.pem');
    services = await startAccountServices({
      account,
      clock,
      port,
      caFile,
      inlineCodeDir: join(stateDir, 'inline-code'),
      modulePath: createRequire(join(workingDir, 'app.js')).resolve.paths('@aws-sdk')!.join(delimiter),
      reporter: {
        step: say,
        functionLog: (name, line) => say(`${name}  ${line}`),
        warning: (text) => (signal.aborted ? undefined : say(`warning: ${text}`)),
      },
    });
    writeFileSync(caFile, services.apiGateway.caCertificate);
    services.alarms.onTransition(({ alarm, previousState }) => {
      say(`alarm ${alarm.name}: ${previousState} → ${alarm.state}, ${alarm.reason}`);
    });
    const stacks = services.stacks.create(assembly, { onLeftOut: (reason) => say(`left out: ${reason}`) });
    services.rotator.start();
    services.scheduler.start();
    // Waits for the rotations and schedules that begin at once.
    await clock.advance(0);
    services.alarmTicks.start();
    const profileFile = join(stateDir, 'aws');
    writeFileSync(profileFile, profileOf(account, services), { mode: 0o600 });
    stacks.forEach((stack) => printStack(stack, services!, say));
    say(`ready: AWS endpoint ${services.endpoint.url}, account ${account.accountId}, ${account.region}`);
    say('For the AWS CLI and SDKs, in another terminal:');
    say(`  export AWS_CONFIG_FILE=${profileFile} AWS_SHARED_CREDENTIALS_FILE=${profileFile}`);
    say(`  export NODE_EXTRA_CA_CERTS=${caFile} AWS_CA_BUNDLE=${caFile}`);
    await obey(context, clock, services);
  } finally {
    await services?.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** @throws {InputError} if the folder exists, because its files are not the run's to overwrite or remove */
function takeFolder(stateDir: string): void {
  try {
    mkdirSync(stateDir, { mode: 0o700 });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const found = code === 'EEXIST' ? `${stateDir}, which exists` : `${stateDir} (${code})`;
    throw new InputError(
      `--state-dir: found ${found}; allowed: a new folder. Remove it if no other run uses it`,
    );
  }
}

/** Reads the given assembly, or the one that the app synthesizes. */
async function assemblyOf(options: Options, { workingDir, signal }: CommandContext): Promise<CloudAssembly> {
  if (options.assembly !== undefined) return readAssembly(resolve(workingDir, options.assembly));
  const outDir = join(options.stateDir, 'cdk.out');
  await synthesize(options, workingDir, outDir, signal);
  return readAssembly(outDir);
}

/** Runs the app as the CDK does, but without validation, which takes most of the time. @throws {HostError} `synthesis_failed` */
async function synthesize(
  { app, context }: Options,
  cwd: string,
  outDir: string,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(app!, {
    cwd,
    shell: true,
    // A process group of its own, so that an interruption also ends what the shell has started.
    detached: true,
    env: {
      ...process.env,
      CDK_DEFAULT_ACCOUNT: DEFAULT_ACCOUNT_ID,
      CDK_DEFAULT_REGION: DEFAULT_REGION,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_OUTDIR: outDir,
      CDK_VALIDATION: 'false',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const kill = () => process.kill(-child.pid!, 'SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const exitCode = await new Promise((done, fail) => child.once('close', done).once('error', fail));
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  if (exitCode !== 0)
    throw new HostError('synthesis_failed', `--app: found exit code ${String(exitCode)}; allowed: 0`);
}

/** A profile for the AWS CLI and every SDK, with a key of the administrator. */
function profileOf({ region }: Account, { endpoint, issueAdministratorKey }: AccountServices): string {
  const { accessKeyId, secretAccessKey } = issueAdministratorKey();
  return [
    '[default]',
    `region = ${region}`,
    `endpoint_url = ${endpoint.url}`,
    `aws_access_key_id = ${accessKeyId}`,
    `aws_secret_access_key = ${secretAccessKey}`,
    '',
  ].join('\n');
}

/** Prints a stack's outputs, with the local addresses of REST APIs. */
function printStack(
  { name, resources, outputs }: ProvisionedStack,
  { apiGateway }: AccountServices,
  say: (line: string) => void,
): void {
  say(`stack ${name}: ${resources.size} resources`);
  for (const [id, value] of Object.entries(outputs)) {
    const local = value.replace(
      /^https:\/\/(\w+)\.execute-api\.[^/]+\/([^/]+)/,
      (_, api: string, stage: string) => apiGateway.urlOf(api, stage),
    );
    say(`  ${id} = ${local}`);
  }
}

const UNIT_SEC = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Does what is typed until the run is stopped. */
async function obey(context: CommandContext, clock: RunClock, services: AccountServices): Promise<void> {
  const { input, say, signal } = context;
  const lines = createInterface({ input });
  lines.on('line', (line) => {
    obeyLine(line, context, clock, services).catch((error: Error) => say(`warning: ${error.message}`));
  });
  if (!signal.aborted) await once(signal, 'abort');
  lines.close();
}

async function obeyLine(
  line: string,
  { say }: CommandContext,
  clock: RunClock,
  { alarmTicks }: AccountServices,
): Promise<void> {
  if (line.trim() === '') return;
  const [, count, unit] = /^\s*advance\s+(\d{1,9})([smhd])\s*$/.exec(line) ?? [];
  if (count === undefined) return say(`found ${line.trim()}; allowed: advance 90m (s, m, h or d)`);
  await clock.advance(Number(count) * UNIT_SEC[unit as keyof typeof UNIT_SEC]);
  alarmTicks.settle();
  say(`it is ${new Date(clock.nowMs()).toISOString()}`);
}
