import { type Check, NotExaminableError, ViolationError } from './check';
import { NoAnswerError } from './https-requests';
import { type ExaminedTenant, type WritableTenant } from './tenant';

/** The platform to check: one tenant for each kind of check that may run. */
export interface Platform {
  readonly read: ExaminedTenant;
  readonly write?: WritableTenant;
}

/** The outcome of one check. Reasons hold no secrets and quote no bodies. */
type Outcome =
  | { readonly outcome: 'passed' }
  /** `failed` for a violation, `broken` if the check could not be completed. */
  | { readonly outcome: 'failed' | 'broken' | 'not examined'; readonly reason: string };
export type CheckResult = Pick<Check, 'name' | 'clauses' | 'needs'> & Outcome;

interface RunOptions {
  /** Ends the run: the remaining checks are not examined. */
  readonly signal?: AbortSignal;
  /** Called with each result as soon as it is known. */
  readonly onResult?: (result: CheckResult) => void;
}

/** Runs the checks in order. A failed check does not stop the others. */
export async function runChecks(
  checks: readonly Check[],
  platform: Platform,
  { signal, onResult }: RunOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const { name, clauses, needs } = check;
    const outcome = signal?.aborted ? notExamined('the run ended early') : await outcomeOf(check, platform);
    const result = { name, clauses, needs, ...outcome };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

async function outcomeOf(check: Check, platform: Platform): Promise<Outcome> {
  try {
    return await run(check, platform);
  } catch (error) {
    if (error instanceof ViolationError) return { outcome: 'failed', reason: error.message };
    if (error instanceof NotExaminableError) return notExamined(error.message);
    return { outcome: 'broken', reason: reasonOf(error) };
  }
}

async function run(check: Check, { read, write }: Platform): Promise<Outcome> {
  if (check.needs === 'read') await check.run(read);
  else if (write) await check.run(write);
  else return notExamined('needs --writes: changes contents or generates keys');
  return { outcome: 'passed' };
}

function notExamined(reason: string): Outcome {
  return { outcome: 'not examined', reason };
}

/** Leaves out the messages of foreign errors, which might quote secrets. */
function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerError) return error.message;
  return error instanceof Error ? `unexpected ${error.name}` : 'unexpected error';
}
