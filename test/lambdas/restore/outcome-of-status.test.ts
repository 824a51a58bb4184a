import { OUTCOMES } from '../../../contract/restore-outcomes';
import { outcomeOfStatus } from '../../../lambdas/restore/outcome-of-status';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

// The platform's specification, "Errors"
test('every status of the platform but its documented refusals leaves the outcome unknown (F32)', () => {
  const known = range(100, 599).filter((status) => outcomeOfStatus(status) !== 'unknownAfterAnswer');

  expect(Object.fromEntries(known.map((status) => [status, outcomeOfStatus(status)]))).toEqual({
    403: 'forbidden',
    404: 'contentNotFound',
    409: 'notArchived',
    415: 'platformWantsOtherMediaType',
    422: 'rejectedByPlatform',
    429: 'tooManyRequests',
    502: 'platformFailed',
  });
});

test('a documented refusal of the platform keeps its status', () => {
  for (const status of [403, 404, 409, 415, 422, 429, 502]) {
    expect(OUTCOMES[outcomeOfStatus(status)].status).toBe(status);
  }
});
