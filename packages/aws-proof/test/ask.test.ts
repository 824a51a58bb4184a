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

test('a question that fails shows the name and the place of the error only', async () => {
  const error = new RangeError('arn:aws:iam::123456789012:role/x');
  error.stack =
    'RangeError: x\n    at ask (/home/me/latchkey/packages/aws-proof/src/questions/alarms.ts:12:3)';
  const failing = question(() => Promise.reject(error));

  const answered = await ask(failing, RUN, new AbortController().signal);

  expect(answered).toMatchObject({
    verdict: 'not run',
    seen: 'failed with RangeError at questions/alarms.ts:12',
  });
  expect(answered.error).toBeInstanceOf(RangeError);
});
