import { parseArgs } from 'node:util';

import { type HostOptions } from '../host-messages';

/** Folder of the run's files, in which commands look by themselves. */
export const DEFAULT_STATE_DIR = '.latchkey';

/** What `npm start -- --help` prints. */
export const START_USAGE = `usage: npm start -- [--once] [--fault JSON] [--config FILE] [--port N] [--state-dir DIR]
                    [--sandbox-port N] [--console-port N] [--assembly DIR] [--no-job] [--verbose]

  --once           load credentials, fetch tokens, restore one record, then stop
  --fault JSON     inject a fault into the sandbox once credentials are loaded, for example
                   '{"target":"token","status":500,"times":1}'
  --config FILE    configuration with "local": true (default: config/local.json)
  --port N         port of the AWS endpoint (default: any free port)
  --sandbox-port N port of the sandbox (default: any free port)
  --console-port N port of the web console (default: any free port; --once runs without a console)
  --state-dir DIR  folder for local.json and the other files of the run (default: .latchkey)
  --assembly DIR   run this cloud assembly, such as cdk.out of your own app, instead of synthesizing; the sandbox takes
                   the place of the platform's addresses in it
  --no-job         do not load credentials or fetch tokens
  --verbose        show the log lines of all functions`;

/** An error that ends `npm start` with exit code 1. Its message is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Options that are missing, unknown or of the wrong form. */
export class OptionError extends StartError {}

/** The options of one `npm start`. */
export interface StartOptions {
  once: boolean;
  hasJob: boolean;
  fault: unknown;
  verbose: boolean;
  host: Omit<HostOptions, 'appProgram' | 'sandboxProgram' | 'projectRoot' | 'checkout'> & {
    stateDir: string;
  };
}

/**
 * Parses the arguments of `npm start`.
 * @returns undefined for `--help`
 * @throws {OptionError}
 */
export function readStartOptions(args: string[]): StartOptions | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        once: { type: 'boolean', default: false },
        fault: { type: 'string' },
        config: { type: 'string' },
        port: { type: 'string', default: '0' },
        'sandbox-port': { type: 'string', default: '0' },
        'console-port': { type: 'string' },
        'state-dir': { type: 'string', default: DEFAULT_STATE_DIR },
        assembly: { type: 'string' },
        'no-job': { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return undefined;
    if (values['no-job'] && (values.once || values.fault !== undefined)) {
      throw refused('--no-job', 'together with --once or --fault', 'without them');
    }
    const consolePort = values['console-port'];
    if (values.once && consolePort !== undefined) {
      throw refused('--console-port', 'together with --once', 'without it');
    }
    if (values.config !== undefined && values.assembly !== undefined) {
      throw refused('--config', 'together with --assembly', 'one of them');
    }
    if (values['state-dir'] === '') throw refused('--state-dir', 'nothing', 'a folder');
    return {
      once: values.once,
      hasJob: !values['no-job'],
      verbose: values.verbose,
      fault: values.fault === undefined ? undefined : parseFault(values.fault),
      host: {
        stateDir: values['state-dir'],
        ...(values.config !== undefined && { configFile: values.config }),
        port: parsePort('--port', values.port),
        sandboxPort: parsePort('--sandbox-port', values['sandbox-port']),
        ...(!values.once && { consolePort: parsePort('--console-port', consolePort ?? '0') }),
        ...(values.assembly !== undefined && { assemblyDir: values.assembly }),
      },
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new OptionError(`${optionFault(error as NodeJS.ErrnoException)}\n${START_USAGE}`);
  }
}

/** What parseArgs found wrong. */
function optionFault({ code, message }: NodeJS.ErrnoException): string {
  const option = /'(--[a-z][a-z-]{0,30})/.exec(message)?.[1];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return faultLine('arguments', `the unknown option ${option ?? '(not shown)'}`, 'the options below');
  }
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return faultLine('arguments', 'a word', 'options only');
  const takesNone = message.includes('does not take an argument');
  return faultLine(
    option ?? 'arguments',
    takesNone ? 'a value' : 'nothing',
    takesNone ? 'no value' : 'a value after it',
  );
}

function parsePort(option: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw refused(option, text, '0–65535');
}

function parseFault(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('--fault', text, 'a JSON object such as {"target":"token","status":500}');
  }
}

/** The error for a start without `--assembly` of the installed package, which has no app to synthesize. */
export function noAssembly(): OptionError {
  const steps = ['npx cdk synth', 'npx latchkey local start --assembly cdk.out'].map((step) => `\n  ${step}`);
  const message = faultLine('--assembly', 'nothing', 'the cloud assembly of your CDK app');
  return new OptionError(`${message}. In the folder of the app:${steps.join('')}`);
}

function refused(option: string, found: string, allowed: string): OptionError {
  return new OptionError(faultLine(option, found, allowed));
}

function faultLine(option: string, found: string, allowed: string): string {
  return `${option}: found ${found}; allowed: ${allowed}`;
}
