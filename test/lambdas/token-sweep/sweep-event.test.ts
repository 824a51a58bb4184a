import { parseSweepEvent } from '../../../lambdas/token-sweep/sweep-event';

test('an event of a sweep is its action alone', () => {
  expect(parseSweepEvent({ action: 'sweep', 'detail-type': 'Scheduled Event' })).toEqual({ action: 'sweep' });
});

test.each<[unknown, string]>([
  [undefined, 'event: found nothing; allowed: an object'],
  [{ action: 'ensure' }, 'action: found "ensure"; allowed: "sweep"'],
])('%j is refused by a message that names what is allowed', (event, message) => {
  const refusal = expect.objectContaining({ code: 'invalid_request', message }) as Error;
  expect(() => parseSweepEvent(event)).toThrow(refusal);
});
