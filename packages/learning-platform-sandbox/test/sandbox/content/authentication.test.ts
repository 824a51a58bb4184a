import { basic, platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

const CONTENTS = '/staging/mea/rest/v1/contents';

test.each([
  ['no header', undefined],
  ['an unknown token', 'Bearer abc'],
  ['an empty token', 'Bearer '],
  ['an unknown key', basic(TENANT.tenantId, 'wrong').authorization],
  ['Basic without a colon', `Basic ${Buffer.from('abc').toString('base64')}`],
  ['Basic with invalid base64', 'Basic %%%'],
  ['another scheme', 'Digest username="a"'],
])('Errors table, 401: %s gets both challenges', async (_what, authorization) => {
  const platform = new PlatformUnderTest();

  const answer = await platform.send('GET', CONTENTS, { headers: authorization ? { authorization } : {} });

  expect(answer).toMatchObject({ status: 401, body: platformError(401, 'Unauthorized') });
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer realm="content".*, Basic realm="content", charset="UTF-8"$/,
  );
});
