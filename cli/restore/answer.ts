import { isSameContent } from '../../core/restore/content-id';
import { gatewayProblems } from '../../core/restore/gateway-problems';
import { isJsonObject, parseJsonObject } from '../../core/json/json-object';
import { type Problem } from '../../core/restore/problem';
import {
  contradictsRestore,
  type RestoreAuth,
  type RestoredItem,
  type RestoredRecord,
} from '../../core/restore/restore-operation';
import { type Outcome, OUTCOMES } from '../../core/restore/restore-outcomes';
import { type HttpsAnswer, type HttpsError } from '../../lambdas/shared/adapters/https-client';
import { parseRetryAfterMs } from '../../core/calls/retry-after';
import { type FailureCode, isFailureCode } from './outcome-kinds';

/** The outcome of one request. */
export type RestoreAnswer =
  | {
      readonly outcome: 'restored';
      readonly status: number;
      readonly requestId?: string;
      readonly record: RestoredRecord;
    }
  | RestoreFailure;

export interface RestoreFailure {
  readonly outcome: FailureCode;
  readonly status?: number;
  /** API Gateway's request id, to quote to support. */
  readonly requestId?: string;
  /** A text of ours, never one from the response. */
  readonly detail: string;
  /** Retrying earlier is useless. */
  readonly retryAfterMs?: number;
}

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Interprets a response of the restore API. An undocumented one leaves the outcome unknown, whatever its status. */
export function interpretAnswer(
  answer: HttpsAnswer,
  contentId: string,
  auth: RestoreAuth,
  nowMs: number,
): RestoreAnswer {
  const { status, headers } = answer;
  const body = parseJsonObject(answer.body);
  const requestId = requestIdOf(body?.requestId) ?? requestIdOf(headers['x-amzn-requestid']);
  const source = { status, ...(requestId !== undefined && { requestId }) };
  const unknown = (detail: string) => ({ outcome: 'outcome_unknown', ...source, detail }) as const;
  if (status === OUTCOMES.restored.status) {
    const record = readRecord(body ?? {}, contentId);
    if (record === undefined) return unknown('the response with status 200 is not a record of this content');
    if (contradictsRestore(record.status)) {
      return unknown('the response has status 200, but the record is still archived or a draft');
    }
    return { outcome: 'restored', ...source, record };
  }
  const { code, detail: said } = (body ?? {}) as Partial<Problem>;
  const detail = documentedDetail(status, code, said, auth);
  if (detail === undefined || !isFailureCode(code)) {
    return unknown(`undocumented response with status ${status}`);
  }
  const retryAfterMs = parseRetryAfterMs(headers['retry-after'], nowMs);
  const isAmbiguous = detail === OUTCOMES.contentOrOperationNotFound.detail;
  const outcome = isAmbiguous ? 'content_or_operation_not_found' : code;
  return { outcome, ...source, detail, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Whether the platform failed to process an item. */
export function isInError({ status }: RestoredItem): boolean {
  return status === 'error';
}

/** The outcome of a request without a complete response. */
export function interpretError(error: HttpsError): RestoreFailure {
  return error.isSent
    ? { outcome: 'outcome_unknown', detail: `the request was sent, but ${error.message}` }
    : {
        outcome: 'api_unreachable',
        detail: `could not reach the restore API, so nothing was sent: ${error.message}`,
      };
}

/**
 * The contract's text for a response; undefined if it is not documented.
 * @param said the response's detail, which distinguishes texts with the same status and code
 */
function documentedDetail(
  status: number,
  code: unknown,
  said: unknown,
  auth: RestoreAuth,
): string | undefined {
  const documented: readonly Pick<Outcome, 'status' | 'code' | 'detail'>[] = [
    ...Object.values(OUTCOMES),
    ...gatewayProblems(auth),
  ];
  const alike = documented.filter((each) => each.status === status && each.code === code);
  return (alike.find(({ detail }) => detail === said) ?? alike[0])?.detail;
}

/** A request id in API Gateway's format. Nothing else in a response is shown or stored. */
function requestIdOf(value: unknown): string | undefined {
  return typeof value === 'string' && REQUEST_ID.test(value) ? value : undefined;
}

function readRecord(
  { id, status, items }: Record<string, unknown>,
  contentId: string,
): RestoredRecord | undefined {
  if (typeof id !== 'string' || typeof status !== 'string' || !Array.isArray(items)) return undefined;
  if (!isSameContent(id, contentId)) return undefined;
  return { id, status, items: items.filter(isJsonObject) };
}
