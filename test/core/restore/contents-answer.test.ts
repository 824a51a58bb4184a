import { interpretContentsAnswer } from '../../../core/restore/contents-answer';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const verdictOf = (status: number, headers: Record<string, string> = {}) =>
  interpretContentsAnswer({ status, headers }, NOON_MS);

test.each([200, 204, 299])('an answer with %d accepts the API key', (status) => {
  expect(verdictOf(status)).toEqual({ kind: 'accepted' });
});

test.each([401, 403])('an answer with %d refuses the API key', (status) => {
  const reason = `the platform answered ${status} to GET /contents`;

  expect(verdictOf(status)).toEqual({ kind: 'refused', reason });
});

test.each([
  [199, false],
  [300, false],
  [307, false],
  [399, false],
  [400, false],
  [404, false],
  [408, true],
  [429, true],
  [499, false],
  [500, true],
  [503, true],
])('an answer with %d says nothing about the API key; outage: %s', (status, isOutage) => {
  expect(verdictOf(status)).toMatchObject({ kind: 'no_verdict', isOutage });
});

test.each([
  [300, true],
  [399, true],
  [199, false],
  [400, false],
])('the reason of %d names a redirect: %s', (status, isRedirect) => {
  expect(verdictOf(status)).toHaveProperty(
    'reason',
    `the platform answered ${status} to GET /contents${isRedirect ? ', a redirect, which is never followed' : ''}`,
  );
});

test('Retry-After is passed on, a date by the platform’s clock or else by ours', () => {
  const httpDate = (ms: number) => new Date(ms).toUTCString();
  const headers = { 'retry-after': httpDate(NOON_MS + 9_000) };

  expect(verdictOf(503, headers)).toMatchObject({ retryAfterMs: 9_000 });
  expect(verdictOf(503, { ...headers, date: httpDate(NOON_MS + 4_000) })).toMatchObject({
    retryAfterMs: 5_000,
  });
});
