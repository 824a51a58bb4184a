import { ask } from '../../prove/ask';
import { type ProvenRun } from '../../prove/proven-run';
import { type Question } from '../../prove/question';

const RUN = { time: { now: async () => new Date(0) } } as ProvenRun;
const question = (asked: Question['ask']): Question => ({
  id: 'example',
  subject: 'An example',
  reliedOn: 'nothing',
  promise: 'nothing',
  otherwise: 'nothing',
  pages: [],
  ask: asked,
});

test('nothing is taken from a question that was interrupted, and no more are asked', async () => {
  const interrupt = new AbortController();
  const interrupted = question(async () => {
    interrupt.abort();
    return { verdict: 'differs', seen: 'exit code 130' };
  });

  const answers = await ask([interrupted, interrupted], RUN, { signal: interrupt.signal });

  expect(answers).toEqual([expect.objectContaining({ verdict: 'not run', seen: 'interrupted' })]);
});

test('a question that fails shows the name of the error only, and the next one is asked', async () => {
  const failing = question(() => Promise.reject(new RangeError('arn:aws:iam::123456789012:role/x')));
  const onError = jest.fn();
  const { signal } = new AbortController();

  const answers = await ask([failing, failing], RUN, { signal, onError });

  expect(answers.map(({ seen }) => seen)).toEqual(Array(2).fill('failed with RangeError at somewhere'));
  expect(onError).toHaveBeenCalledTimes(2);
});
