import { parseArgs } from 'node:util';

import { type HostOptions } from '../host-messages';

/** What `npm start -- --help` prints. */
export const START_USAGE = `usage: npm start -- [--once] [--fault JSON] [--config FILE] [--port N] [--state-dir DIR]
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

/** One clear line for the person at the terminal, and exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** How `npm start` was asked to run. */
export interface StartOptions {
  once: boolean;
  hasJob: boolean;
  fault: unknown;
  verbose: boolean;
  host: Omit<HostOptions, 'sandboxProgram' | 'projectRoot'> & { stateDir: string };
}

/**
 * Reads the arguments of `npm start`.
 * @returns undefined when help is asked for
 * @throws {StartError}
 */
export function readStartOptions(args: string[]): StartOptions | undefined {
  try {
    const { values } = parseArgs({
      args,
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
      throw refused('--no-job', 'together with --once or --fault', 'without them');
    }
    const consolePort = values['console-port'];
    if (values.once && consolePort !== undefined) {
      throw refused('--console-port', 'together with --once', 'without it');
    }
    if (values['state-dir'] === '') throw refused('--state-dir', 'nothing', 'a folder');
    return {
      once: values.once,
      hasJob: !values['no-job'],
      verbose: values.verbose,
      fault: values.fault === undefined ? undefined : parseFault(values.fault),
      host: {
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
    throw new StartError(`${(error as Error).message}\n${START_USAGE}`);
  }
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

function refused(option: string, found: string, allowed: string): StartError {
  return new StartError(`${option}: found ${found}; allowed: ${allowed}`);
}
