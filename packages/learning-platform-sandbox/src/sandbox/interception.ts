import { type Context, type MiddlewareHandler, type Next } from 'hono';
import { type SandboxClock } from './sandbox-clock';
import { MAX_PATH_CHARS } from './counters';
import { errorBody, RefusedRequestError } from './errors';
import {
  type Dependency,
  type Fault,
  type FaultEffect,
  faultEffectSchema,
  isAnswering,
  type RequestAttributes,
} from './fault';
import { isJsonMediaType } from './json-body';
import { type SandboxState } from './sandbox-state';
import { slowly } from './slow-body';

const MAX_TENANT_ID_CHARS = 128;
/** Statuses whose answer has no body. @see RFC 9110, sections 15.3.5, 15.3.6, 15.4.5 */
export const WITHOUT_BODY = [204, 205, 304];

export interface SandboxVariables {
  /**
   * Operations call this when they use a dependency, before they change anything.
   * @throws {RefusedRequestError} 502 if the dependency fails for this request
   * @see platform specification, "Errors", 502 and general rule 1
   */
  requireDependency: (dependency: Dependency) => void;
}

/**
 * Counts and records every request to a part of the platform, and applies the fault that matches it. `Response.error()`, the
 * Fetch standard's network error (status 0), tells the server to destroy the socket.
 */
export function intercept(
  { clock, counters, faults, recentRequests, wait }: SandboxState,
  attributesOf: (c: Context) => RequestAttributes | Promise<RequestAttributes>,
): MiddlewareHandler<{ Variables: SandboxVariables }> {
  return async (c, next) => {
    const startedAtMs = performance.now();
    const attributes = await attributesOf(c);
    let failing: Dependency | undefined;
    c.set('requireDependency', (dependency) => {
      if (!faults.takeAtDependency(attributes, dependency)) return;
      failing = dependency;
      throw new RefusedRequestError(502, `a service that the operation depends on failed: ${dependency}`);
    });
    const fault = faults.take(attributes);
    await (fault ? applyFault(fault, wait, c, next) : next());
    const { method, path } = c.req;
    const request = { target: attributes.faultPoint, method, path, status: c.res.status };
    counters.count(request);
    const { tenantId } = attributes;
    recentRequests.add({
      at: clock.nowIso(),
      ...request,
      path: path.slice(0, MAX_PATH_CHARS),
      durationMs: Math.round(performance.now() - startedAtMs),
      ...(tenantId !== undefined && { tenantId: tenantId.slice(0, MAX_TENANT_ID_CHARS) }),
      ...((fault ?? failing) && {
        fault: { ...(fault && effectOf(fault)), ...(failing && { dependency: failing }) },
      }),
    });
  };
}

/** The part of a fault that is recorded: its body and headers may hold what a test has planted. */
function effectOf(fault: Fault): FaultEffect {
  const fields = Object.keys(faultEffectSchema.shape);
  return Object.fromEntries(Object.entries(fault).filter(([name]) => fields.includes(name)));
}

/** Sets the Date header from the sandbox's clock, unless a fault has set one. */
export function datedBy(clock: SandboxClock): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const isAnswer = c.res.status !== 0;
    if (isAnswer && !c.res.headers.has('date')) c.header('Date', new Date(clock.nowMs()).toUTCString());
  };
}

/** The delay comes first. If the client disconnects during it, the request is not processed. */
async function applyFault(fault: Fault, wait: SandboxState['wait'], c: Context, next: Next): Promise<void> {
  const clientLeft = c.req.raw.signal;
  if (fault.delayMs && !(await wait(fault.delayMs, clientLeft))) return replaceAnswer(c, Response.error());
  if (fault.reset === 'before') return replaceAnswer(c, Response.error());
  if (isAnswering(fault)) replaceAnswer(c, faultAnswer(fault));
  else await next();
  if (fault.reset === 'after') return replaceAnswer(c, Response.error());
  if (fault.malformedJson) replaceAnswer(c, await truncated(c.res));
  if (fault.slowBodyMs) replaceAnswer(c, slowly(c.res, fault.slowBodyMs, clientLeft));
}

function faultAnswer({ status = 200, body, headers }: Fault): Response {
  if (WITHOUT_BODY.includes(status)) return new Response(null, { status, headers });
  const isText = typeof body === 'string';
  const sent = new Headers(headers);
  if (!sent.has('content-type'))
    sent.set('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json');
  const text = isText
    ? body
    : JSON.stringify(body === undefined ? errorBody(status, 'injected fault') : body);
  return new Response(text, { status, headers: sent });
}

/** Truncates a JSON answer to its first half; returns any other answer unchanged. */
async function truncated(answer: Response): Promise<Response> {
  if (!isJsonMediaType(answer.headers.get('content-type') ?? undefined)) return answer;
  const text = await answer.text();
  return new Response(text.slice(0, text.length / 2), answer);
}

/** Unsets the answer first, or Hono would copy its headers into the new one. */
function replaceAnswer(c: Context, answer: Response): void {
  c.res = undefined;
  c.res = answer;
}
