import { interpretContentsAnswer } from '../../../core/restore/contents-answer';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const verdictOf = (status: number, headers: Record<string, string> = {}) =>
  interpretContentsAnswer({ status, headers }, NOON_MS);
const said = (status: number) => `the platform answered ${status} to GET /contents`;

test.each<[number[], object, string?]>([
  [[401, 403], { kind: 'refused' }],
  [[199, 400, 404, 499], { kind: 'no_verdict', isOutage: false }],
  [[300, 399], { kind: 'no_verdict', isOutage: false }, ', a redirect, which is never followed'],
  [[408, 429, 500, 503], { kind: 'no_verdict', isOutage: true }],
])('answers with %j to the API key mean %j', (...[statuses, verdict, says = '']) => {
  for (const status of statuses)
    expect(verdictOf(status)).toEqual({ ...verdict, reason: `${said(status)}${says}` });
});

test.each([200, 299])('an answer with %d accepts the API key', (status) => {
  expect(verdictOf(status)).toEqual({ kind: 'accepted' });
});

test('Retry-After is passed on, a date by the platform’s clock or else by ours', () => {
  const httpDate = (ms: number) => new Date(ms).toUTCString();
  const headers = { 'retry-after': httpDate(NOON_MS + 9_000) };

  expect(verdictOf(503, headers)).toMatchObject({ retryAfterMs: 9_000 });
  expect(verdictOf(503, { ...headers, date: httpDate(NOON_MS + 4_000) })).toMatchObject({
    retryAfterMs: 5_000,
  });
});
