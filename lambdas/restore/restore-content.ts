import { type DeploymentFile } from '../../core/deployment/deployment-file';
import {
  contradictsRestore,
  type ProbeAnswer,
  RESTORED_STATUS,
  type RestoredRecord,
} from '../../core/restore/restore-operation';
import { type OutcomeName } from '../../core/restore/restore-outcomes';
import { parseRetryAfterMs } from '../../core/calls/retry-after';
import { UpstreamTokenError } from '../../core/tokens/upstream-token-error';
import { tenantKeyOf } from '../../core/tokens/token-key';
import {
  type Clock,
  type ContentPlatform,
  type UpstreamResult,
  type UpstreamToken,
  type UpstreamTokens,
} from '../shared/ports';
import { type OperationAvailability } from './operation-availability';
import { type Refusal, type RestoreRequest } from './restore-request';
import { parseRestoredRecord } from './restored-record';

/** Minimum remaining time to send a request: if it were cut off, its outcome would be unknown. */
const MIN_REQUEST_MS = 3_000;

/** Errors that are specific to this function: other readers may still get the token. @see client/token-unavailable-error.ts */
const OWN_FAULTS: readonly string[] = [
  'access_denied',
  'aws_not_configured',
  'invalid_request',
  'unknown_token_key',
];

/** Outcomes by the platform's documented error status. After any other status, the outcome is unknown. */
const BY_UPSTREAM_STATUS: Readonly<Record<number, OutcomeName>> = {
  409: 'notArchived',
  415: 'platformWantsOtherMediaType',
  422: 'rejectedByPlatform',
  429: 'tooManyRequests',
  502: 'platformFailed',
};

/** Answers that a platform also gives if it does not have the operation. Gateways use 403 for that. */
const MAY_BE_ABSENCE: readonly number[] = [403, 404];

export interface RestorePorts {
  deployment: DeploymentFile;
  tokens: UpstreamTokens;
  platform: ContentPlatform;
  availability: OperationAvailability;
  clock: Clock;
}

export interface RestoreResult {
  outcome: OutcomeName;
  record?: RestoredRecord;
  /** Replaces the outcome's default detail. */
  detail?: string;
  retryAfterSec?: number;
  upstreamStatus?: number;
  /** Why there is no answer or no token. Only for the log. */
  reason?: string;
}

/**
 * Restores one content record. Sends one request, and a second one only after a 401, which precedes processing.
 * @param request the parsed request, or why it is refused
 * @param deadlineMs latest time to answer the caller, in ms by the monotonic clock
 * @see the platform's specification, "Endpoints" 3 and "States and transitions"
 */
export async function restoreContent(
  ports: RestorePorts,
  tenantId: string,
  request: RestoreRequest | Refusal,
  deadlineMs: number,
): Promise<RestoreResult> {
  const { deployment, tokens, platform, clock } = ports;
  const { restore, tenants } = deployment;
  if (!restore.available) return { outcome: 'restoreUnavailable' };
  if (!tenants.some((tenant) => tenant.tenantId === tenantId)) return { outcome: 'unknownTenant' };
  if ('outcome' in request) return request;
  const { contentId, actingUser } = request;

  const tenant = tenantKeyOf(deployment, tenantId);
  const send = (token: UpstreamToken) => platform.restore(contentId, actingUser, token, deadlineMs);
  const sendBeforeMs = deadlineMs - MIN_REQUEST_MS;
  try {
    const token = await tokens.get(tenant, sendBeforeMs);
    if (clock.monotonicMs() > sendBeforeMs)
      return { outcome: 'tokenUnavailable', reason: 'no time left to send' };
    const first = await send(token);
    if (!isUnauthorized(first)) return await interpret(ports, contentId, first, token, deadlineMs);
    const next = await tokens.get(tenant, sendBeforeMs, token);
    if (clock.monotonicMs() > sendBeforeMs) {
      return {
        outcome: 'tokenUnavailable',
        reason: 'no time left for a second request',
        upstreamStatus: 401,
      };
    }
    const second = await send(next);
    if (isUnauthorized(second)) return { outcome: 'platformRefusedToken', upstreamStatus: 401 };
    return await interpret(ports, contentId, second, next, deadlineMs);
  } catch (error) {
    if (!(error instanceof UpstreamTokenError)) throw error;
    const outcome = OWN_FAULTS.includes(error.code) ? 'tokenOutOfReach' : 'tokenUnavailable';
    return { outcome, reason: `${error.code}: ${error.message}` };
  }
}

function isUnauthorized(result: UpstreamResult): boolean {
  return result.kind === 'answered' && result.status === 401;
}

/** @param token the token of the request */
async function interpret(
  { deployment, clock, availability }: RestorePorts,
  contentId: string,
  result: UpstreamResult,
  token: UpstreamToken,
  deadlineMs: number,
): Promise<RestoreResult> {
  switch (result.kind) {
    case 'not_sent':
      return { outcome: 'platformUnreachable', reason: result.reason };
    case 'no_answer':
      return { outcome: 'unknownWithoutAnswer', reason: result.reason };
    case 'unreadable':
      return { outcome: 'unknownAfterAnswer', reason: result.reason };
    case 'answered': {
      const { successStatus, failureReasonField } = deployment.restore;
      availability.note(result.status);
      if (result.status === successStatus) {
        const record = parseRestoredRecord(result.body, contentId, failureReasonField);
        return { ...judgeRecord(record), upstreamStatus: result.status };
      }
      if (MAY_BE_ABSENCE.includes(result.status)) {
        const answer = await availability.find(token, deadlineMs);
        return { ...judgeRefusal(result.status, answer), upstreamStatus: result.status };
      }
      const outcome = BY_UPSTREAM_STATUS[result.status] ?? 'unknownAfterAnswer';
      const waitMs =
        outcome === 'tooManyRequests' ? parseRetryAfterMs(result.retryAfter, clock.nowMs()) : undefined;
      return {
        outcome,
        upstreamStatus: result.status,
        ...(waitMs !== undefined && { retryAfterSec: Math.ceil(waitMs / 1000) }),
      };
    }
  }
}

function judgeRefusal(status: number, { availability, reason }: ProbeAnswer): RestoreResult {
  if (availability === 'absent') return { outcome: 'restoreAbsent', reason: `the platform: ${reason}` };
  if (status === 403) return { outcome: 'forbidden' };
  if (availability === 'offered') return { outcome: 'contentNotFound' };
  return { outcome: 'contentOrOperationNotFound', reason: `the platform: ${reason}` };
}

function judgeRecord(record: RestoredRecord | undefined): RestoreResult {
  if (record === undefined) return { outcome: 'unknownAfterAnswer', reason: 'unreadable record' };
  if (record.status === RESTORED_STATUS) return { outcome: 'restored', record };
  // Only a single word is logged: a longer text could be the content's.
  const status = /^\w{1,32}$/.test(record.status) ? `"${record.status}"` : 'not one word';
  const reason = `status: found ${status}; expected: ${RESTORED_STATUS}`;
  if (contradictsRestore(record.status)) return { outcome: 'contradictedByRecord', reason };
  return { outcome: 'restored', record, reason };
}
