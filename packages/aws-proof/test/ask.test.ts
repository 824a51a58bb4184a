import { type ProvenRun } from '../src/proven-run';
import { ask, type Question } from '../src/question';

const RUN = { time: { now: async () => new Date(0) } } as ProvenRun;
const question = (asked: Question['ask']): Question => ({
  id: 'example',
  subject: 'An example',
  reliedOn: 'nothing',
  promise: 'nothing',
  pages: [],
  ask: asked,
});

test('nothing is taken from a question that was interrupted', async () => {
  const interrupt = new AbortController();
  const interrupted = question(async () => {
    interrupt.abort();
    return { verdict: 'differs', seen: 'exit code 130' };
  });

  const answered = await ask(interrupted, RUN, interrupt.signal);

  expect(answered).toMatchObject({ verdict: 'not run', seen: 'interrupted' });
});

test('a question that fails shows only the name of the error', async () => {
  const error = new RangeError('arn:aws:iam::123456789012:role/x');
  const failing = question(() => Promise.reject(error));

  const answered = await ask(failing, RUN, new AbortController().signal);

  expect(answered).toMatchObject({ verdict: 'not run', seen: 'failed with RangeError' });
  expect(answered.error).toBeInstanceOf(RangeError);
});
