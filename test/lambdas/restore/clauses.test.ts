import { OUTCOMES } from '../../../core/restore/restore-outcomes';
import { type UpstreamResult } from '../../../lambdas/shared/ports';
import { REQUEST_CASES } from '../../restore-api/clauses/cases';
import {
  answerOf,
  CONTENT_ID,
  recordOf,
  requestOf,
  RestoreFunction,
} from '../../support/lambdas/restore-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { type ClauseCase, type FromWorld } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type RestoreCall } from '../../support/restore-api/restore-api-under-test';

const MAX_ANSWER_BYTES = 1024 * 1024;
const ITEM_IDS = [1, 2, 3].map((n) => `${n}`.repeat(24));

/** The parts of the running system that the cases below read. */
const WORLD = {
  contentId: CONTENT_ID,
  tenant: { authorRefs: ['author-1', 'author-2'], collaborationIds: ['collaboration-1', 'collaboration-2'] },
  neighbor: { authorRefs: ['author-3'], collaborationIds: ['collaboration-3'] },
  api: { basic: () => '', bearer: () => '' },
} as unknown as ClauseWorld;

const valueOf = <Value>(value: FromWorld<Value>): Value =>
  typeof value === 'function' ? (value as (world: ClauseWorld) => Value)(WORLD) : value;

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** Excludes cases about callers, routes, secrets and the platform's own effects, which only the real API can show. */
function isInProcess({ given = {}, call = {} }: ClauseCase): boolean {
  const asked = valueOf(call) as Partial<RestoreCall>;
  // What API Gateway cannot decode does not reach the function.
  if (asked.contentId !== undefined && !isDecodable(asked.contentId)) return false;
  return (
    given.arrange === undefined && !given.archivedFrom && !('authorization' in asked || 'method' in asked)
  );
}

/** The platform's answer without a fault. */
function answerTo(contentId: string, refs: object, state: string): UpstreamResult {
  const { authorRefs, collaborationIds } = WORLD.tenant;
  const { authorRef = authorRefs[0]!, collaborationId = collaborationIds[0]! } = refs as Record<
    string,
    string
  >;
  if (contentId !== CONTENT_ID) return answerOf(404);
  if (!authorRefs.includes(authorRef) || !collaborationIds.includes(collaborationId)) return answerOf(422);
  if (state !== 'archived') return answerOf(409);
  const items = ITEM_IDS.map((id, rank) => ({
    id,
    type: 'video',
    rank,
    summary: `Part ${rank + 1}`,
    status: 'ok',
  }));
  return answerOf(200, recordOf(contentId, { items: items.reverse() }));
}

/** The result of a fault in the sandbox. */
function failedBy(fault: object | string): UpstreamResult {
  type Fault = { status: number; body?: unknown; headers?: Record<string, string>; reset?: string };
  const {
    status,
    body = '',
    headers,
    reset,
  } = (typeof fault === 'string' ? JSON.parse(fault) : fault) as Fault;
  if (reset !== undefined) return { kind: 'no_answer', reason: 'reset' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (text.length > MAX_ANSWER_BYTES) return { kind: 'unreadable', reason: 'too large' };
  return answerOf(status, text, headers?.['retry-after']);
}

test.each(REQUEST_CASES.filter(isInProcess))(
  '$clause: $title',
  async ({ given = {}, call = {}, expected }) => {
    const world = new RestoreFunction();
    world.clock.set(Date.now() - NOON_MS);
    world.platform.script.push(...valueOf(given.faults ?? []).map(failedBy));
    world.platform.always = (contentId, actingUser) =>
      answerTo(contentId, actingUser, given.content ?? 'archived');
    const {
      contentId = CONTENT_ID,
      body = { authorRef: 'author-1' },
      ...more
    } = valueOf(call) as Partial<RestoreCall>;
    const contentType = 'contentType' in more ? more.contentType : 'application/json';
    const contentTypes = contentType === undefined ? [] : [contentType].flat();

    const result = await world.restore(
      requestOf({ contentId: decodeURIComponent(contentId), contentTypes, body }),
    );

    const { status, code, detail } = OUTCOMES[result.outcome];
    expect({ status, code }).toEqual({ status: expected.status, code: expected.code });
    expect(result.detail ?? detail).toMatch(expected.detail ?? '');
    expect(result.retryAfterSec).toBe(expected.retryAfterSec);
    const record = status === 200 ? { id: CONTENT_ID, status: 'published' } : {};
    // As JSON, which drops undefined fields.
    const told = JSON.parse(JSON.stringify(result.record ?? {})) as object;
    if (expected.record === undefined) expect(told).toMatchObject(record);
    else expect(told).toEqual(valueOf(expected.record));
    const { actingUser = { authorRef: 'author-1' } } = valueOf(expected.sent ?? {});
    expect(world.platform.requests.map((sent) => sent.actingUser)).toEqual(
      expected.platform.map(() => actingUser),
    );
  },
);
