import { NOON_MS, PlatformUnderTest } from '../platform-under-test';

describe('clock', () => {
  test('advancing it expires tokens and moves the Date header of every answer', async () => {
    const platform = new PlatformUnderTest();
    const headers = await platform.bearer('api/read');

    await platform.control('POST', 'clock', { advanceSec: 3600 });

    const answers = [
      await platform.send('GET', '/staging/mea/rest/v1/contents', { headers }),
      await platform.requestToken(),
      await platform.send('GET', '/nowhere'),
      await platform.control('GET', 'counters'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 404, 200]);
    expect(new Set(answers.map((answer) => answer.headers.get('date')))).toEqual(
      new Set([new Date(NOON_MS + 3_600_000).toUTCString()]),
    );
  });

  test('it cannot go beyond the year 9999', async () => {
    const platform = new PlatformUnderTest({}, { nowMs: () => Date.UTC(9999, 11, 31, 23) });

    const answers = [
      await platform.control('POST', 'clock', { advanceSec: 3600 }),
      await platform.control('POST', 'clock', { advanceSec: 3599 }),
    ];

    expect(answers).toMatchObject([
      { status: 400, body: { message: 'advanceSec: found 3600; allowed: a time before the year 10000' } },
      { status: 200, body: { now: '9999-12-31T23:59:59.000Z' } },
    ]);
  });
});
