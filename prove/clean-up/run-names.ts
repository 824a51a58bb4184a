import { isRunPrefix } from '../run-record';

/** What decides whether something is a run's. */
export interface RunNames {
  readonly prefix: string;
  readonly restApiIds: readonly string[];
}

/** What AWS puts before the name that a run has chosen. */
const BEFORE = /^(?:\/aws\/lambda\/|alias\/|\/)/;
const EXECUTION_LOGS = /^API-Gateway-Execution-Logs_([a-z0-9]+)\//;

/**
 * Whether a name is the run's: the prefix as a whole, alone or before a separator, or the execution logs of one of its APIs.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html (names of execution logs)
 */
export function isOfRun(name: string, { prefix, restApiIds }: RunNames): boolean {
  const apiId = EXECUTION_LOGS.exec(name)?.[1];
  if (apiId !== undefined) return restApiIds.includes(apiId);
  const chosen = name.replace(BEFORE, '');
  return chosen.startsWith(prefix) && /^(?:$|[-/_.])/.test(chosen.slice(prefix.length));
}

/** The prefix of the run that a name is of, if it is of one. */
export function runPrefixIn(name: string): string | undefined {
  const prefix = /^prove-[a-z0-9]+/.exec(name.replace(BEFORE, ''))?.[0];
  return prefix !== undefined && isRunPrefix(prefix) && isOfRun(name, { prefix, restApiIds: [] })
    ? prefix
    : undefined;
}
