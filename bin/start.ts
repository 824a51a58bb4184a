import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { injectFault, loadCredentials, refreshTokens, restoreRecord } from '../demo/main-job';
import { JobError, LocalSystem } from '../demo/local-system';
import { type FromHost, type HostOptions } from '../local/host-messages';
import { upToDate } from './build-cli.cjs';

const USAGE = `usage: npm start -- [--once] [--fault JSON] [--config FILE] [--port N] [--state-dir DIR]
                    [--sandbox-port N] [--console-port N] [--assembly DIR] [--no-job] [--verbose]

  --once           run the main job and end: up, load credentials, fetch tokens, restore a record, down
  --fault JSON     inject a fault into the sandbox after loading, for example
                   '{"target":"token","status":500,"times":1}'
  --config FILE    a configuration marked local (config/local.json)
  --port N         port of the AWS endpoint (any that is free)
  --sandbox-port N port of the sandbox (any that is free)
  --console-port N port of the console, a page that shows the system (any that is free; none with --once)
  --state-dir DIR  where local.json is written (.latchkey)
  --assembly DIR   a cloud assembly to run, instead of synthesizing the app
  --no-job         load no credentials and fetch no tokens
  --verbose        show every log line of every function`;

// The functions run on a newer Node on AWS; on the laptop, the SDK's advice about Node 20 would hide what matters.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const PROJECT_ROOT = join(__dirname, '..');
/** After that the host and all it started are killed. */
const STOP_GRACE_MS = 10_000;

/** One clear line for the person at the terminal, and exit code 1. */
class StartError extends Error {
  override readonly name = 'StartError';
}

interface Options {
  once: boolean;
  hasJob: boolean;
  fault: unknown;
  verbose: boolean;
  host: Omit<HostOptions, 'sandboxProgram'> & { stateDir: string };
}

const startedAtMs = Date.now();

function report(text: string, ms?: number): void {
  const elapsed = `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`.padStart(7);
  console.log(`${elapsed}  ${text}${ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`}`);
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        once: { type: 'boolean', default: false },
        fault: { type: 'string' },
        config: { type: 'string', default: 'config/local.json' },
        port: { type: 'string', default: '0' },
        'sandbox-port': { type: 'string', default: '0' },
        'console-port': { type: 'string' },
        'state-dir': { type: 'string', default: '.latchkey' },
        assembly: { type: 'string' },
        'no-job': { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    if (values['no-job'] && (values.once || values.fault !== undefined)) {
      throw new StartError('--no-job: found together with --once or --fault; allowed: without them');
    }
    const consolePort = values['console-port'];
    if (values.once && consolePort !== undefined) {
      throw new StartError('--console-port: found together with --once; allowed: without it');
    }
    if (values['state-dir'] === '') throw new StartError('--state-dir: found nothing; allowed: a folder');
    return {
      once: values.once,
      hasJob: !values['no-job'],
      verbose: values.verbose,
      fault: values.fault === undefined ? undefined : parseFault(values.fault),
      host: {
        projectRoot: PROJECT_ROOT,
        stateDir: values['state-dir'],
        configFile: values.config,
        port: parsePort('--port', values.port),
        sandboxPort: parsePort('--sandbox-port', values['sandbox-port']),
        ...(!values.once && { consolePort: parsePort('--console-port', consolePort ?? '0') }),
        ...(values.assembly !== undefined && { assemblyDir: values.assembly }),
      },
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${(error as Error).message}\n${USAGE}`);
  }
}

function parsePort(option: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new StartError(`${option}: found ${text}; allowed: 0–65535`);
}

function parseFault(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError(
      `--fault: found ${text}; allowed: a JSON object such as {"target":"token","status":500}`,
    );
  }
}

/** @throws {StartError} when the program is not built yet and cannot be, such as where nothing can be written */
function programFile(program: 'host' | 'sandbox'): string {
  try {
    return upToDate(program);
  } catch (error) {
    throw new StartError(`the ${program} cannot be built: ${(error as Error).message}`);
  }
}

/** The host program with all that it starts: a process group of its own, so that nothing of it can be left running. */
class Host {
  /** Rejects when the host fails or ends without having been told to. */
  readonly lost: Promise<never>;
  /** Resolves with the console's address, in a run that has one. */
  readonly up: Promise<string | undefined>;
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private readonly stateDir: string;
  private isStopping = false;

  constructor({ host: options, verbose }: Options) {
    this.stateDir = resolve(PROJECT_ROOT, options.stateDir);
    const sandboxProgram = programFile('sandbox');
    // A terminal's Ctrl-C goes to a whole process group, and only this process is to act on it.
    this.child = fork(programFile('host'), [], {
      execArgv: [],
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.exited = new Promise((resolve) => this.child.once('exit', () => resolve()));
    let setUp: (consoleUrl: string | undefined) => void;
    this.up = new Promise((resolve) => (setUp = resolve));
    this.lost = new Promise((_, reject) => {
      this.child.on('message', (message: FromHost) => {
        if (message.type === 'step') report(message.text, message.ms);
        if (message.type === 'log' && verbose) console.log(`${message.functionName}  ${message.line}`);
        if (message.type === 'warning') report(`warning: ${message.text}`);
        if (message.type === 'up') setUp(message.consoleUrl);
        if (message.type === 'failed') reject(new StartError(message.message));
      });
      this.child.once('exit', (code, signal) => {
        if (!this.isStopping)
          reject(new StartError(`the local system ended unexpectedly (${signal ?? `exit ${code}`})`));
      });
    });
    this.lost.catch(() => undefined);
    this.child.send({ type: 'start', options: { ...options, sandboxProgram } });
  }

  /** Ends the host and everything it started. */
  async stop(): Promise<void> {
    this.isStopping = true;
    if (this.child.connected) this.child.send({ type: 'stop' }, () => undefined);
    const timer = setTimeout(() => this.kill(), STOP_GRACE_MS);
    await this.exited;
    clearTimeout(timer);
    this.kill();
    this.removeRemains();
  }

  /** What a host that was killed could not remove: above all local.json, which has the administrator's key. */
  private removeRemains(): void {
    const file = (name: string) => join(this.stateDir, name);
    try {
      // Only if the lock is its own: another run may be using the place.
      if (Number(readFileSync(file('lock'), 'utf8')) !== this.child.pid) return;
    } catch {
      return;
    }
    for (const name of ['local.json', 'ca.pem', 'config.json', 'cdk.out', 'lock']) {
      rmSync(file(name), { recursive: true, force: true });
    }
    if (readdirSync(this.stateDir).length === 0) rmdirSync(this.stateDir);
  }

  kill(): void {
    try {
      process.kill(-this.child.pid!, 'SIGKILL');
    } catch {
      // The group is gone, which is what was wanted.
    }
  }
}

async function runMainJob(options: Options): Promise<void> {
  if (!options.hasJob) return;
  const system = new LocalSystem(PROJECT_ROOT, options.host.stateDir);
  await loadCredentials(system, report);
  if (options.fault !== undefined) await injectFault(system, options.fault, report);
  await refreshTokens(system, report);
  if (options.once) await restoreRecord(system, report);
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    console.log(USAGE);
    return 0;
  }
  let interrupt: () => void;
  const interrupted = new Promise<'interrupted'>((resolve) => (interrupt = () => resolve('interrupted')));
  let signals = 0;
  const host = new Host(options);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signals += 1;
      if (signals > 1) host.kill();
      interrupt();
    });
  }
  // A shell between npm and this process does not pass a signal on, but ends of it.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) interrupt();
  }, 250).unref();
  process.stdout.on('error', () => interrupt());
  try {
    const work = host.up.then(() => runMainJob(options)).then(() => 'done' as const);
    const result = await Promise.race([work, interrupted, host.lost]);
    if (result === 'interrupted') {
      report('interrupted, ending');
      return 130;
    }
    if (options.once) {
      report('done, ending');
      return 0;
    }
    console.log(`console ${await host.up}`);
    console.log(`ready: ${join(options.host.stateDir, 'local.json')} says how to reach it; end with Ctrl-C`);
    await Promise.race([interrupted, host.lost]);
    report('ending');
    return 0;
  } finally {
    await host.stop();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isExpected = error instanceof StartError || error instanceof JobError;
    console.error(isExpected ? `latchkey: ${error.message}` : error);
    process.exit(1);
  },
);
