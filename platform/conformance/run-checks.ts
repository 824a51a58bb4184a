import { type Check, ViolationError } from './check';
import { NoAnswerError } from './https-requests';
import { ControlRefusedError } from './control-client';
import {
  type ControlledTenant,
  type ExaminedTenant,
  NotExaminableError,
  type WritableTenant,
} from './tenant';

/** What may be done to a platform: reading always, the rest where there is a tenant for it. */
export interface Platform {
  readonly read: ExaminedTenant;
  readonly write?: WritableTenant;
  readonly control?: ControlledTenant;
  /** Before each check: what an earlier one changed is put back. */
  readonly begin?: () => Promise<void>;
}

/** What became of one check. Reasons name no secret, and quote no body. */
type Outcome =
  | { readonly outcome: 'passed' }
  /** `failed` for a violation; `broken` where it could not be examined to the end; else `not examined`. */
  | { readonly outcome: 'failed' | 'broken' | 'not examined'; readonly reason: string };
/** A check with what became of it. */
export type CheckResult = Pick<Check, 'name' | 'clauses' | 'needs'> & Outcome;

/** What a run is given besides. */
interface RunOptions {
  /** Ends the run: the checks that are left are not examined. */
  readonly signal?: AbortSignal;
  /** Told of each result at once. */
  readonly onResult?: (result: CheckResult) => void;
}

/** Runs the checks one after the other, in their order. A check that fails does not stop the others. */
export async function runChecks(
  checks: readonly Check[],
  platform: Platform,
  { signal, onResult }: RunOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const { name, clauses, needs } = check;
    const outcome = signal?.aborted ? notExamined('the run was ended') : await outcomeOf(check, platform);
    const result = { name, clauses, needs, ...outcome };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

async function outcomeOf(check: Check, platform: Platform): Promise<Outcome> {
  try {
    await platform.begin?.();
    return await run(check, platform);
  } catch (error) {
    if (error instanceof ViolationError) return { outcome: 'failed', reason: error.message };
    if (error instanceof NotExaminableError) return notExamined(error.message);
    return { outcome: 'broken', reason: reasonOf(error) };
  }
}

async function run(check: Check, { read, write, control }: Platform): Promise<Outcome> {
  switch (check.needs) {
    case 'read':
      await check.run(read);
      break;
    case 'write':
      if (!write) return notExamined('it changes contents or generates keys');
      await check.run(write);
      break;
    case 'control':
      if (!control) return notExamined('it needs a sandbox');
      await check.run(control);
      break;
  }
  return { outcome: 'passed' };
}

function notExamined(reason: string): Outcome {
  return { outcome: 'not examined', reason };
}

/** Of errors that are not ours, the message may quote anything. */
function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerError || error instanceof ControlRefusedError) return error.message;
  return error instanceof Error ? `unexpected ${error.name}` : 'unexpected error';
}
