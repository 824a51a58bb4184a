import { isRunPrefix } from '../run-record';

/** What decides whether something is a run's. A tag alone does not: anybody who may tag a resource could have it deleted. */
export interface RunNames {
  readonly prefix: string;
  /** Of the run's stacks, as CloudFormation lists them. */
  readonly restApiIds: readonly string[];
  /** Likewise: AWS gives keys no names. */
  readonly keyIds: readonly string[];
}

/** What AWS puts before the name that a run has chosen. */
const BEFORE = /^(?:\/aws\/lambda\/|alias\/|\/)/;
const EXECUTION_LOGS = /^API-Gateway-Execution-Logs_([a-z0-9]+)\//;

/**
 * Whether a name is the run's: the prefix as a whole, alone or before a separator; the execution logs of one of its APIs; or one
 * of its keys.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html (names of execution logs)
 */
export function isOfRun(name: string, { prefix, restApiIds, keyIds }: RunNames): boolean {
  if (keyIds.includes(name)) return true;
  const apiId = EXECUTION_LOGS.exec(name)?.[1];
  if (apiId !== undefined) return restApiIds.includes(apiId);
  const chosen = name.replace(BEFORE, '');
  return chosen.startsWith(prefix) && /^(?:$|[-/_.])/.test(chosen.slice(prefix.length));
}

/** The prefix of the run that a name is of, if it is of one. */
export function runPrefixIn(name: string): string | undefined {
  const prefix = /^prove-[a-z0-9]+/.exec(name.replace(BEFORE, ''))?.[0];
  return prefix !== undefined && isRunPrefix(prefix) && isOfRun(name, { prefix, restApiIds: [], keyIds: [] })
    ? prefix
    : undefined;
}

/** A run that is found in an account. */
export interface FoundRun {
  /** Whether this machine has its record: somebody else's has none here. */
  readonly isRecorded: boolean;
  /** The process that works on it, as its record says. */
  readonly pid?: number | undefined;
}

/** Why a run is removed only if it is named; undefined if it is not. @param isAlive whether a process runs */
export function mustBeNamed(
  { isRecorded, pid }: FoundRun,
  isAlive: (pid: number) => boolean,
): string | undefined {
  if (!isRecorded) return 'it has no record here, so it may be somebody else’s';
  return pid !== undefined && isAlive(pid) ? `its process ${pid} is still running` : undefined;
}
