import { inspect } from 'node:util';

import fc from 'fast-check';

import { createTokenSource, type TokenSourceEvent } from '../../client';
import { type TokenKey } from '../../core/tokens/published-keys';
import { findCanaries } from '../support/canaries';
import { workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';

const CANARY = 'cAnArY0f.an~acc3ss+t0ken/';
const EXCEPTIONS = ['AccessDeniedException', 'InvalidRequestException', 'DecryptionFailure', 'TimeoutError'];

/** An error like the SDK's, with the request and the response. */
const failureOfAws = (name: string) =>
  Object.assign(new Error(`it was ${CANARY}`), { name, $response: { headers: { authorization: CANARY } } });

test('no error, event or printed token shows a token value, whatever fails', async () => {
  let failures = 0;
  const step = fc.constantFrom('get', 'refuse', 'bad key', 'store', 'expire', 'wait');
  const fault = fc.option(fc.constantFrom(...EXCEPTIONS, 'ThrottlingException'));

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fault, fault), { minLength: 3, maxLength: 12 }),
      async (steps) => {
        const aws = new FakeAws();
        const shown: unknown[] = [];
        const onEvent = (event: TokenSourceEvent) => shown.push(event);
        const tokens = createTokenSource({ ...aws.options(), onEvent });
        aws.store(60 * MINUTE_MS, { accessToken: CANARY });
        for (const [what, readFault, refreshFault] of steps) {
          aws.failingReads = { times: readFault === null ? 0 : 1, error: failureOfAws(readFault ?? '') };
          if (refreshFault !== null) aws.refreshAnswers.push(failureOfAws(refreshFault));
          if (what === 'store') aws.store(60 * MINUTE_MS, { accessToken: CANARY });
          if (what === 'expire') aws.storeText(`{"accessToken":"${CANARY}"`);
          if (what === 'wait') aws.clock.advance(45 * MINUTE_MS);
          const key =
            what === 'bad key'
              ? ({ ...KEY, scope: 'api/none', accessToken: CANARY } as unknown as TokenKey)
              : KEY;
          const refused = what === 'refuse' ? { refused: CANARY } : undefined;
          await tokens.getToken(key, refused).then(
            (token) => shown.push(token),
            (error: unknown) => {
              failures += 1;
              shown.push(error, String(error), JSON.stringify(error));
            },
          );
          await workIsDone();
        }
        const text = inspect(shown, { depth: 12 });
        const sightings = findCanaries([{ name: 'access token', value: CANARY }], [{ place: 'shown', text }]);
        expect(sightings).toEqual([]);
      },
    ),
    { numRuns: 100 },
  );

  expect(failures).toBeGreaterThan(50);
});

test('a refused token of a wrong type is not shown', async () => {
  const aws = new FakeAws();
  const tokens = createTokenSource(aws.options());

  const failure = await tokens.getToken(KEY, { refused: { accessToken: CANARY } as never }).catch(String);

  expect(failure).toBe('TypeError: refused: found a value of type object; allowed: an access token string');
});
