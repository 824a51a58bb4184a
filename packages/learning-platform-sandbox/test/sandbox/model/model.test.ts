import * as fc from 'fast-check';
import { ModelledPlatform } from './modelled-platform';
import { move } from './moves';
import { IS_FULL } from '../../../../../test/support/test-size';

const SEQUENCES = IS_FULL ? 5000 : 150;
const TIMEOUT_MS = IS_FULL ? 15 * 60_000 : 3 * 60_000;
/** Fixed, except in the full run, which uses a new seed each time and prints it on failure. */
const SEED = IS_FULL ? undefined : 8;

const WRITE_STATUSES = [401, 403, 404, 415, 400, 422, 502];
/** Answers that must occur, or the sequences cover too little. */
const ANSWERS = [
  ...['list', 'get'].flatMap((read) => [200, 401, 403, 502].map((status) => `${read} ${status}`)),
  ...['update', 'archive', 'restore'].flatMap((write) =>
    [200, 409, ...WRITE_STATUSES].map((status) => `${write} ${status}`),
  ),
  ...['publish 200', 'publish 409', 'delete 204', 'create 201', 'list 400', 'get 404'],
  ...['create', 'publish', 'delete'].flatMap((write) =>
    WRITE_STATUSES.filter((status) => write !== 'create' || status !== 404).map(
      (status) => `${write} ${status}`,
    ),
  ),
];

test(
  `${SEQUENCES} random sequences of operations: sandbox and model give the same answers and store the same state`,
  async () => {
    const answers = new Set<string | undefined>();

    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 40, size: 'max' }), async (moves) => {
        const platform = await ModelledPlatform.start();
        for (const each of moves) answers.add(await platform.make(each));
        await platform.compareStored();
      }),
      { numRuns: SEQUENCES, seed: SEED },
    );

    expect(ANSWERS.filter((answer) => !answers.has(answer))).toEqual([]);
  },
  TIMEOUT_MS,
);
