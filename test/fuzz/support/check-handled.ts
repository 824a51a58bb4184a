import { type Problem } from '../../../core/restore/problem';
import { type Outcome, OUTCOMES, REASON_PHRASES } from '../../../core/restore/restore-outcomes';
import { findCanaries } from '../../support/canaries';
import {
  expectOneLineAnEvent,
  type HandledRequest,
  type RestoreHandlers,
} from '../../support/restore-api/restore-handlers';
import { type FuzzedAnswer } from './fuzzed-platform';

const OUTCOME_LIST: readonly Outcome[] = Object.values(OUTCOMES);
/** Codes that mean that nothing was sent, although other codes share their status. */
const NEVER_SENT: readonly unknown[] = [
  'malformed_json',
  'body_too_large',
  'invalid_request',
  'unknown_tenant',
];

/** Checks what must hold for every request, whatever the platform does. */
export function checkHandled(
  handled: HandledRequest,
  answers: readonly [FuzzedAnswer, FuzzedAnswer],
  handlers: RestoreHandlers,
): void {
  if (handled.crash !== undefined) throw handled.crash;
  expect(Object.keys(REASON_PHRASES).map(Number)).toContain(handled.status);
  const isRefused = handled.headers === undefined;
  expectOneLineAnEvent(handled);
  const code = isRefused ? undefined : checkAnswer(handled);
  checkSent(handled.status, code, isRefused, answers, handlers);
  const visible = [
    { place: 'answer', text: JSON.stringify(handled.headers) + handled.body },
    { place: 'log', text: handled.lines.join('\n') },
  ];
  expect(findCanaries(handlers.canaries, visible)).toEqual([]);
}

/** @returns the code of a problem; undefined for a success */
function checkAnswer({ status, headers = {}, body }: HandledRequest): string | undefined {
  const document = JSON.parse(body) as Problem;
  if (status === 200) {
    expect(Object.keys(document).sort()).toEqual(['id', 'items', 'status']);
    expect(headers['Content-Type']).toBe('application/json');
    return undefined;
  }
  expect(Object.keys(document).sort()).toEqual(['code', 'detail', 'requestId', 'status', 'title', 'type']);
  expect(OUTCOME_LIST.some((outcome) => outcome.status === status && outcome.code === document.code)).toBe(
    true,
  );
  expect(document.status).toBe(status);
  expect(headers['Content-Type']).toBe('application/problem+json');
  return document.code;
}

function checkSent(
  status: number,
  code: string | undefined,
  isRefused: boolean,
  answers: readonly [FuzzedAnswer, FuzzedAnswer],
  { platform: { requests }, tenants }: RestoreHandlers,
): void {
  // A probe, which tells whether the platform offers restore, has no acting user, so it modifies nothing.
  const restores = requests.filter((request) => request.body !== '{}');
  const given = answers.slice(0, restores.length).map((answer) => answer.status);
  expect(restores.length).toBeLessThanOrEqual(given[0] === 401 ? 2 : 1);
  if (isRefused || NEVER_SENT.includes(code)) expect(requests).toEqual([]);
  // 502 promises that the content was not modified; 200, that it was restored.
  if (status === 502) expect(given.every((each) => each === 401 || each === 502)).toBe(true);
  if (status === 200) expect(given.at(-1)).toBe(200);
  if (status === 501) expect([403, 404]).toContain(given.at(-1));
  for (const { method, path, headers, body } of restores) {
    expect(`${method} ${path}`).toMatch(/^POST \/rest\/contents\/(?!\.{1,2}\/)[\w.~-]{1,128}\/restore$/);
    const [{ tenantId }] = tenants;
    expect(headers.authorization).toMatch(
      new RegExp(`^Bearer (writing-token-of-0-|renewed-token-of-${tenantId}-)`),
    );
    const sent = JSON.parse(body) as object;
    expect(Object.keys(sent).every((key) => key === 'authorRef' || key === 'collaborationId')).toBe(true);
  }
}
