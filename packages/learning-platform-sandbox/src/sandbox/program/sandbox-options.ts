import { parseArgs } from 'node:util';
import { faultLine } from '../../input-faults';

export const MAX_PORT = 65_535;
/** Values that do not match might be secrets, and are never printed. */
const PLAIN_VALUE = /^[\w.+-]{1,15}$/;
const PLAIN_FLAG = /^--?[a-z][a-z-]{0,30}$/;

const FLAGS = {
  port: { type: 'string', allowed: `0–${MAX_PORT}; 0 picks a free port` },
  'separate-ports': { type: 'boolean', allowed: 'no value' },
  seed: { type: 'string', allowed: 'a JSON file' },
  'ca-file': { type: 'string', allowed: 'a path to write a file to' },
  json: { type: 'boolean', allowed: 'no value' },
  help: { type: 'boolean', allowed: 'no value', short: 'h' },
} as const;
type Flag = keyof typeof FLAGS;

export const HELP = `Usage: npm run sandbox -- [options]      or: latchkey sandbox [options]

Runs the learning platform over HTTPS on 127.0.0.1. Stop it with Ctrl-C.

  --port <n>        port to listen on (default: a free port); with --separate-ports,
                    the first port, which serves control
  --separate-ports  serve each address on its own port
  --seed <file>     JSON file with the deployments, tenants and contents to start with
  --ca-file <file>  write the CA certificate to this file and keep it (default:
                    .latchkey/sandbox-PORT-ca.pem, deleted on exit)
  --json            print one JSON document when ready
  -h, --help        show this help
`;

export interface Options {
  readonly port: number;
  readonly separatePorts: boolean;
  readonly seedFile: string | undefined;
  readonly caFile: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** A faulty command line or seed: one line for each fault, `place: found VALUE; allowed: …`. */
export class UsageError extends Error {
  readonly code = 'usage';
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(issues.join('; '));
    this.name = 'UsageError';
    this.issues = issues;
  }
}

/**
 * Reads the arguments of the program, without Node's own.
 * @returns the valid options, and one line for each fault
 */
export function readOptions(args: readonly string[]): { options: Options; issues: string[] } {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: FLAGS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const issues = tokens.flatMap((token) => {
    if (token.kind === 'option') return optionIssue(token);
    return token.kind === 'positional' ? faultLine('arguments', shown(token.value), 'options only') : [];
  });
  const text = (flag: Flag) => (typeof values[flag] === 'string' ? values[flag] : undefined);
  const port = text('port') ?? '0';
  if (!/^\d{1,5}$/.test(port) || Number(port) > MAX_PORT) {
    issues.push(faultLine('--port', shown(port), FLAGS.port.allowed));
  }
  return {
    options: {
      port: Number(port),
      separatePorts: values['separate-ports'] === true,
      seedFile: text('seed'),
      caFile: text('ca-file'),
      json: values.json === true,
      help: values.help === true,
    },
    issues,
  };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function optionIssue({ name, rawName, value, inlineValue }: OptionToken): string[] {
  const flag = Object.keys(FLAGS).find((known): known is Flag => known === name);
  if (flag === undefined) {
    const known = Object.keys(FLAGS).map((each) => `--${each}`);
    const unknown = PLAIN_FLAG.test(rawName) ? `the unknown option ${rawName}` : 'an unknown option';
    return [faultLine('arguments', unknown, known.join(', '))];
  }
  const { type, allowed } = FLAGS[flag];
  if (type === 'boolean') return value === undefined ? [] : [faultLine(`--${flag}`, shown(value), allowed)];
  // `--seed --json` lacks a value; `--seed=--json` has one.
  const isMissing = value === undefined || value === '' || (!inlineValue && value.startsWith('-'));
  return isMissing ? [faultLine(`--${flag}`, 'nothing', allowed)] : [];
}

function shown(value: string): string {
  if (value === '') return 'nothing';
  return PLAIN_VALUE.test(value) ? value : 'something else';
}
