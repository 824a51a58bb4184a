import { PlatformUnderTest } from '../platform-under-test';

test('faults are listed with their remaining times', async () => {
  const platform = new PlatformUnderTest();
  const faults = [
    { target: 'token', status: 500, times: 2 },
    { target: 'content', dependency: 'store' },
  ];
  for (const fault of faults) await platform.control('POST', 'faults', fault);
  await platform.requestToken();

  const answer = await platform.control('GET', 'faults');

  expect(answer.body).toEqual({ faults: [{ ...faults[0], times: 1 }, faults[1]] });
});

test('a certificate fault needs separate ports', async () => {
  const fault = { target: 'token', certificate: 'expired' };

  const answers = [
    await new PlatformUnderTest().control('POST', 'faults', fault),
    await new PlatformUnderTest({}, { certificateFaults: true }).control('POST', 'faults', fault),
  ];

  expect(answers).toMatchObject([
    {
      status: 400,
      body: {
        message: expect.stringMatching(
          /^certificate: found "expired"; allowed: .*--separate-ports/,
        ) as string,
      },
    },
    { status: 201, body: fault },
  ]);
});

test.each([
  [{ target: 'token', match: { operation: 'get' }, status: 500 }, ['match.operation']],
  [{ target: 'content', match: { operation: 'read' }, status: 500 }, ['match.operation']],
  [{ target: 'webhooks', dependency: 'store' }, ['dependency']],
  [{ target: 'content', dependency: 'database' }, ['dependency']],
  [{ target: 'content', dependency: 'store', status: 500 }, ['dependency']],
  [{ target: 'content', dependency: 'store', delayMs: 1 }, ['dependency']],
  [{ target: 'content', slowBodyMs: 1, reset: 'after' }, ['reset']],
  [{ target: 'content', slowBodyMs: 0 }, ['slowBodyMs']],
  [{ target: 'content', slowBodyMs: 600_001 }, ['slowBodyMs']],
  [{ target: 'content', malformedJson: false }, ['malformedJson']],
  [{ target: 'content', malformedJson: true, body: {} }, ['malformedJson']],
  [{ target: 'content', malformedJson: true, reset: 'after' }, ['malformedJson']],
  [{ target: 'content', headers: { Trailer: 'Date' } }, ['headers']],
  [{ target: 'token', status: 500, probability: 0 }, ['probability']],
  [{ target: 'token', status: 500, probability: 1 }, ['probability']],
  [{ target: 'token', status: 500, seed: 1 }, ['seed']],
  [{ target: 'token', status: 500, probability: 0.5, seed: -1 }, ['seed']],
  [{ target: 'content', certificate: 'revoked' }, ['certificate']],
  [{ target: 'content', certificate: 'expired', delayMs: 1 }, ['certificate']],
  [{ target: 'content', certificate: 'expired', match: { tenantId: 't' } }, ['match']],
  [{ target: 'content', certificate: 'expired', match: { operation: 'get' } }, ['match']],
  [
    { target: 'token', match: { operation: 'get' }, dependency: 'store', status: 500, seed: 1 },
    ['match.operation', 'dependency', 'dependency', 'seed'],
  ],
])('%j is refused with all faults', async (fault, paths) => {
  const platform = new PlatformUnderTest({}, { certificateFaults: true });

  const answer = await platform.control('POST', 'faults', fault);

  const { message } = answer.body as { message: string };
  expect(answer.status).toBe(400);
  expect([...message.matchAll(/([\w.]+): found /g)].map(([, path]) => path)).toEqual(paths);
});

test('a fault can answer with a very deep body, but not with one too deep to serialize', async () => {
  const platform = new PlatformUnderTest();
  const send = (levels: number) =>
    platform.send('POST', '/_sandbox/faults', {
      body: `{"target":"token","body":${'['.repeat(levels)}${']'.repeat(levels)}}`,
    });

  const answers = [await send(900), await send(100_000)];

  expect(answers.map(({ status }) => status)).toEqual([201, 400]);
  expect((await platform.requestToken()).status).toBe(200);
});
