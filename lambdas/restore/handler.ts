import { type APIGatewayProxyEvent, type APIGatewayProxyResult, type Context } from 'aws-lambda';

import { isJsonObject } from '../../core/json/json-object';
import { type Problem } from '../../core/restore/problem';
import { RESTORE_LOG_MESSAGE } from '../../core/restore/restore-audit';
import { type ProbeAnswer, type ProbeEvent } from '../../core/restore/restore-operation';
import { type Outcome, OUTCOMES, REASON_PHRASES } from '../../core/restore/restore-outcomes';
import { inInitPhase } from '../shared/adapters/init-phase';
import { warmedUp } from '../shared/adapters/secrets-manager-client';
import { wrongValue } from '../../core/events/event-values';
import { pathIds, plainPathIds } from '../../core/restore/path-ids';
import { requireRequestEvent, RequestEventError } from '../../core/restore/request-event';
import { composePorts, type RestoreHandlerPorts } from './compose';
import { type RestoreEnvironment } from './environment';
import { probeOperation } from './probe-operation';
import { recordRestoreMetrics } from './record-restore-metrics';
import { auditFields, callerOf, headerValues } from './audit-fields';
import { restoreContent, type RestoreResult } from './restore-content';
import { type IncomingRequest, parseRestoreRequest } from './restore-request';

/** Time reserved to return the response through API Gateway. */
const RESERVE_MS = 1_500;

const compose = () => composePorts(process.env as unknown as RestoreEnvironment);
let ports: RestoreHandlerPorts | undefined = inInitPhase(() => warmedUp(compose()));

/**
 * Handler of the restore function, for API Gateway's Lambda proxy integration and for credential-watch.
 * @throws {RequestEventError}
 */
export async function handler(event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult>;
export async function handler(event: ProbeEvent, context: Context): Promise<ProbeAnswer>;
export async function handler(
  event: APIGatewayProxyEvent | ProbeEvent,
  context: Context,
): Promise<APIGatewayProxyResult | ProbeAnswer> {
  return handle((ports ??= compose()), event, context);
}

export async function handle(
  ports: RestoreHandlerPorts,
  event: APIGatewayProxyEvent | ProbeEvent,
  context: Context,
): Promise<APIGatewayProxyResult | ProbeAnswer> {
  const { clock, log, metrics } = ports;
  log.addContext(context);
  const startedAtMs = clock.monotonicMs();
  const deadlineMs = startedAtMs + context.getRemainingTimeInMillis() - RESERVE_MS;
  try {
    if (isProbe(event)) return await probeOperation(ports, deadlineMs);
    requireRequestEvent(event);
    return await restore(ports, event, startedAtMs, deadlineMs);
  } finally {
    metrics.flush();
  }
}

/** API Gateway's events have no `action`. @throws {RequestEventError} for another action */
function isProbe(event: unknown): event is ProbeEvent {
  if (!isJsonObject(event) || event.action === undefined) return false;
  if (event.action === 'probe') return true;
  throw new RequestEventError(wrongValue('action', event.action, '"probe"'));
}

async function restore(
  ports: RestoreHandlerPorts,
  event: APIGatewayProxyEvent,
  startedAtMs: number,
  deadlineMs: number,
): Promise<APIGatewayProxyResult> {
  const { clock, log, metrics } = ports;
  const caller = callerOf(event.requestContext);
  const origin = { caller, ids: pathIds(event) };
  // The authorizer reads the path as this function does; IAM may not.
  const { tenantId, contentId } =
    caller.scheme === 'basic' || caller.scheme === 'bearer' ? origin.ids : plainPathIds(event);
  const request = parseRestoreRequest(incomingRequest(event, contentId));
  try {
    const result = await restoreContent(ports, tenantId, request, deadlineMs);
    const outcome: Outcome = OUTCOMES[result.outcome];
    const durationMs = Math.round(clock.monotonicMs() - startedAtMs);
    recordRestoreMetrics(metrics, result.outcome, durationMs);
    log.info(RESTORE_LOG_MESSAGE, {
      ...auditFields(event, origin, request, outcome),
      durationMs,
      upstreamStatus: result.upstreamStatus,
      reason: result.reason,
    });
    return answer(result, event.requestContext.requestId);
  } catch (error) {
    // API Gateway answers a crash with this outcome (DEFAULT_5XX).
    const outcome = { status: 500, code: 'outcome_unknown' } as const;
    log.error(RESTORE_LOG_MESSAGE, { ...auditFields(event, origin, request, outcome), reason: 'crashed' });
    throw error;
  }
}

function incomingRequest(event: APIGatewayProxyEvent, contentId: string): IncomingRequest {
  const body = event.body ?? '';
  return {
    contentId,
    contentTypes: headerValues(event, 'content-type'),
    body: event.isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}

function answer(result: RestoreResult, requestId: string): APIGatewayProxyResult {
  const { status, code, detail }: Outcome = OUTCOMES[result.outcome];
  if (code === undefined) {
    return { statusCode: status, headers: headers('application/json'), body: JSON.stringify(result.record) };
  }
  const problem: Problem = {
    type: 'about:blank',
    title: REASON_PHRASES[status],
    status,
    detail: result.detail ?? detail,
    code,
    requestId,
  };
  return {
    statusCode: status,
    headers: {
      ...headers('application/problem+json'),
      ...(result.retryAfterSec !== undefined && { 'Retry-After': String(result.retryAfterSec) }),
      ...(status === 415 && { Accept: 'application/json' }),
    },
    body: JSON.stringify(problem),
  };
}

function headers(contentType: string): Record<string, string> {
  return { 'Content-Type': contentType, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
}
