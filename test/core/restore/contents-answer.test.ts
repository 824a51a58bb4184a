import { interpretContentsAnswer } from '../../../core/restore/contents-answer';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const verdictOf = (status: number, headers: Record<string, string> = {}) =>
  interpretContentsAnswer({ status, headers }, NOON_MS);
const said = (status: number) => `the platform answered ${status} to GET /contents`;

test.each<[number, object]>([
  ...[200, 299].map((status): [number, object] => [status, { kind: 'accepted' }]),
  ...[401, 403].map((status): [number, object] => [status, { kind: 'refused', reason: said(status) }]),
  ...[199, 400, 404, 499].map((status): [number, object] => [
    status,
    { kind: 'no_verdict', isOutage: false, reason: said(status) },
  ]),
  ...[300, 399].map((status): [number, object] => [
    status,
    { kind: 'no_verdict', isOutage: false, reason: `${said(status)}, a redirect, which is never followed` },
  ]),
  ...[408, 429, 500, 503].map((status): [number, object] => [
    status,
    { kind: 'no_verdict', isOutage: true, reason: said(status) },
  ]),
])('an answer with %d to the API key means %j', (status, verdict) => {
  expect(verdictOf(status)).toEqual(verdict);
});

test('Retry-After is passed on, a date by the platform’s clock or else by ours', () => {
  const httpDate = (ms: number) => new Date(ms).toUTCString();
  const headers = { 'retry-after': httpDate(NOON_MS + 9_000) };

  expect(verdictOf(503, headers)).toMatchObject({ retryAfterMs: 9_000 });
  expect(verdictOf(503, { ...headers, date: httpDate(NOON_MS + 4_000) })).toMatchObject({
    retryAfterMs: 5_000,
  });
});
