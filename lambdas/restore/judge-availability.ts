import { type ProbeAnswer } from '../../core/restore/restore-operation';
import { type UpstreamResult } from '../shared/ports';

export interface ProbeResult {
  /** Path and query that were requested. */
  path: string;
  /** The part of the path that names an operation that does not exist; empty for the others. */
  suffix: string;
  result: UpstreamResult;
}

type Answered = Extract<UpstreamResult, { kind: 'answered' }>;

/** Refusals of a request without an acting user for a content that does not exist. */
const REFUSALS: readonly number[] = [400, 404, 409, 415, 422];
/** The method is not allowed or not implemented. @see RFC 9110, sections 15.5.6 and 15.6.2 */
const NOT_IMPLEMENTED: readonly number[] = [405, 501];
/** Answers of platforms and gateways to an operation that does not exist. */
const ABSENCES: readonly number[] = [403, 404];

/**
 * Judges from its answers whether the platform offers the restore operation.
 * @param unknown answers for two operations that cannot exist, to see what differs by chance
 * @param known answer for an operation that exists; without it, `compare` asks for one
 */
export function judgeAvailability(
  restore: ProbeResult,
  unknown: readonly ProbeResult[],
  known?: ProbeResult,
): ProbeAnswer | 'compare' {
  const undetermined = (reason: string) => ({ availability: 'undetermined', reason }) as const;
  if (restore.result.kind === 'answered' && isRedirect(restore.result.status)) {
    return {
      availability: 'absent',
      reason: `it answered ${restore.result.status}, a redirect, which is never followed`,
    };
  }
  for (const { result } of [restore, ...unknown, ...(known === undefined ? [] : [known])]) {
    if (result.kind !== 'answered') return undetermined(result.reason);
    if (result.status === 401) return { availability: 'refused', reason: 'it answered 401' };
    if (isInconclusive(result.status)) return undetermined(`it answered ${result.status}`);
  }
  const { status } = restore.result as Answered;
  if (NOT_IMPLEMENTED.includes(status)) {
    return { availability: 'absent', reason: `it answered ${status}` };
  }
  const isNoisy = !isSame(unknown[0]!, unknown[1]!, false);
  if (!unknown.every((other) => isSame(restore, other, isNoisy))) {
    return REFUSALS.includes(status)
      ? { availability: 'offered', reason: `it answered ${status}, and differently to unknown operations` }
      : undetermined(`it answered ${status}`);
  }
  if (!ABSENCES.includes(status)) return undetermined(`it answered ${status}, as to unknown operations`);
  if (known === undefined) return 'compare';
  return isSame(restore, known, isNoisy)
    ? undetermined(`it answers ${status} to every such request`)
    : { availability: 'absent', reason: `it answered ${status}, as to operations that do not exist` };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** A status that says nothing about the operation: a proxy's login, a rate limit, an outage, or an unexpected success. */
function isInconclusive(status: number): boolean {
  return status < 400 || [407, 408, 429].includes(status) || (status >= 500 && status !== 501);
}

/** @param isNoisy whether bodies differ by chance; then only the statuses count */
function isSame(a: ProbeResult, b: ProbeResult, isNoisy: boolean): boolean {
  const [left, right] = [a.result as Answered, b.result as Answered];
  return left.status === right.status && (isNoisy || commonText(a) === commonText(b));
}

/** The body without what belongs to one request: its path, and digits of ids and times. */
function commonText({ path, suffix, result }: ProbeResult): string {
  const { body } = result as Answered;
  const namesOfRequest = [path, path.split('?')[0]!, suffix];
  return namesOfRequest
    .reduce((text, name) => text.replaceAll(name, ''), body)
    .replaceAll(/[0-9a-f-]{8,}|\d+/gi, '#');
}
