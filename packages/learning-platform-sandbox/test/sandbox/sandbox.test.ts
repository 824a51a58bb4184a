import { platformError, PlatformUnderTest, STAGING_MEA } from './platform-under-test';

const MIB = 1024 * 1024;

test.each([
  ['a token request', '/staging/mea/auth/oauth2/token/t'],
  ['a content request', '/staging/mea/rest/v1/contents/1/restore'],
  ['a request to the tenant service', '/tenant-service/live/tenants'],
  ['a control request', '/_sandbox/faults'],
])('%s with a body over 1 MiB gets 413', async (_what, path) => {
  const platform = new PlatformUnderTest();

  const [over, at] = await Promise.all(
    [MIB + 1, MIB].map((bytes) => platform.send('POST', path, { body: 'x'.repeat(bytes) })),
  );

  expect(over).toMatchObject({ status: 413, body: platformError(413, 'Content Too Large') });
  expect(at?.status).not.toBe(413);
});

test.each([
  ['a deployment that is not in the seed', '/production/mea/rest/v1/contents'],
  ['another operation of the tenant service', '/tenant-service/staging/keys'],
  ['an unknown control operation', '/_sandbox/nothing'],
])('%s gets 404', async (_what, path) => {
  const answer = await new PlatformUnderTest().send('POST', path);

  expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
});

test('Errors table, default: an unexpected error is reported to the operator, not to the client', async () => {
  const reported: Error[] = [];
  const failure = new Error('the clock broke');
  const platform = new PlatformUnderTest(
    {},
    {
      nowMs: () => {
        if (reported.length === 0) throw failure;
        return 0;
      },
      onUnexpectedError: (error) => reported.push(error),
    },
  );

  const answer = await platform.control('POST', 'api-keys', {
    ...STAGING_MEA,
    tenantId: 'me-south-1_Staging',
  });

  expect(answer).toMatchObject({
    status: 500,
    body: { status: 500, error: 'Internal Server Error', message: 'unexpected error' },
  });
  expect(reported).toEqual([failure]);
});
