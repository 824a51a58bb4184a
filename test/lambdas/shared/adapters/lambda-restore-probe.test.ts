import { type InvokeCommand } from '@aws-sdk/client-lambda';

import { LambdaRestoreProbe } from '../../../../lambdas/shared/adapters/lambda-restore-probe';

function probing(answer: () => unknown) {
  const sent: unknown[] = [];
  const send = async (command: InvokeCommand) => {
    sent.push([command.input.FunctionName, Buffer.from(command.input.Payload as Uint8Array).toString()]);
    const payload = answer();
    return { Payload: typeof payload === 'string' ? Buffer.from(payload) : undefined };
  };
  return { sent, probe: new LambdaRestoreProbe({ send }, 'arn:restore') };
}

test('asks the restore function, and returns its answer', async () => {
  const { sent, probe } = probing(() => '{"availability":"absent","reason":"it answered 405","more":1}');

  expect(await probe.ask(1_000)).toEqual({ availability: 'absent', reason: 'it answered 405' });
  expect(sent).toEqual([['arn:restore', '{"action":"probe"}']]);
});

test.each<[string, () => unknown]>([
  ['fails', () => ({})],
  ['crashes', () => '{"errorType":"Runtime.ExitError","errorMessage":"exited"}'],
  ['is of a version that knows no probe', () => '{"statusCode":500,"body":""}'],
  ['names another availability', () => '{"availability":"maybe","reason":"x"}'],
  ['answers no JSON', () => 'null'],
])('a function that %s leaves it undetermined', async (_, answer) => {
  expect(await probing(answer).probe.ask(1_000)).toEqual({
    availability: 'undetermined',
    reason: 'it was not asked: the restore function failed',
  });
});

test('a missing permission is named', async () => {
  const { probe } = probing(() => {
    throw Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
  });

  expect(await probe.ask(1_000)).toMatchObject({
    availability: 'undetermined',
    reason: expect.stringContaining('lambda:InvokeFunction on arn:restore was denied') as string,
  });
});
