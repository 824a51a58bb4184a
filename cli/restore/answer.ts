import { isSameContent } from '../../contract/content-id';
import { gatewayProblems } from '../../contract/gateway-problems';
import { isJsonObject, parseJsonObject } from '../../contract/json-object';
import { type Problem } from '../../contract/problem';
import { type RestoreAuth, type RestoredItem, type RestoredRecord } from '../../contract/restore-operation';
import { type Outcome, OUTCOMES } from '../../contract/restore-outcomes';
import { type HttpsAnswer, type HttpsError } from '../../lambdas/shared/adapters/https-client';
import { parseRetryAfterMs } from '../../lambdas/shared/domain/retry-after';
import { type FailureCode, isFailureCode } from './outcome-kinds';

/** What became of one request. */
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
  /** Of API Gateway: what to name when asking about the request. */
  readonly requestId?: string;
  /** In our own words, never those of an answer. */
  readonly detail: string;
  /** Asking again earlier is useless. */
  readonly retryAfterMs?: number;
}

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads an answer of the restore API. What the API does not document leaves the outcome unknown, whatever its status. */
export function interpretAnswer(
  answer: HttpsAnswer,
  contentId: string,
  auth: RestoreAuth,
  nowMs: number,
): RestoreAnswer {
  const { status, headers } = answer;
  const body = parseJsonObject(answer.body);
  const requestId = requestIdOf(body?.requestId) ?? requestIdOf(headers['x-amzn-requestid']);
  const told = { status, ...(requestId !== undefined && { requestId }) };
  const unknown = (detail: string) => ({ outcome: 'outcome_unknown', ...told, detail }) as const;
  if (status === OUTCOMES.restored.status) {
    const record = readRecord(body ?? {}, contentId);
    return record === undefined
      ? unknown('the answer with status 200 is no record of this content')
      : { outcome: 'restored', ...told, record };
  }
  const { code, detail: said } = (body ?? {}) as Partial<Problem>;
  const detail = documentedDetail(status, code, said, auth);
  if (detail === undefined || !isFailureCode(code)) {
    return unknown(`the restore API does not document such an answer with status ${status}`);
  }
  const retryAfterMs = parseRetryAfterMs(headers['retry-after'], nowMs);
  return { outcome: code, ...told, detail, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Whether the platform could not process an item. */
export function isInError({ status }: RestoredItem): boolean {
  return status === 'error';
}

/** What it means that no whole answer was had. */
export function interpretError(error: HttpsError): RestoreFailure {
  return error.isSent
    ? { outcome: 'outcome_unknown', detail: `the request was sent, but: ${error.message}` }
    : {
        outcome: 'api_unreachable',
        detail: `the restore API could not be reached, so nothing was sent: ${error.message}`,
      };
}

/**
 * What the contract says about such an answer; undefined where there is none.
 * @param said which of its sentences, where one status and code have several, as the platform's 403 and API Gateway's
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

/** Only the form that API Gateway gives it: nothing else of an answer is shown or stored. */
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
