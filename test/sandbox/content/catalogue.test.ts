import { platformError, PlatformUnderTest } from '../platform-under-test';

const CONTENTS = '/staging/mea/rest/v1/contents';

async function read(platform: PlatformUnderTest, path: string) {
  return platform.send('GET', path, { headers: await platform.bearer('api/read') });
}

describe('GET /contents', () => {
  test.each([
    ['', 8],
    ['?statuses=archived', 5],
    ['?statuses=published', 1],
    ['?statuses=created', 2],
    ['?statuses=deleted', 0],
    ['?statuses=created,archived', 7],
    ['?statuses=created&statuses=published', 3],
  ])('%s lists %i contents: the filter has the legacy vocabulary', async (query, count) => {
    const platform = new PlatformUnderTest();

    const answer = await read(platform, CONTENTS + query);

    expect(answer).toMatchObject({ status: 200, body: { length: count } });
  });

  test('a lifecycle status that the legacy vocabulary lacks is refused', async () => {
    const platform = new PlatformUnderTest();

    const answer = await read(platform, `${CONTENTS}?statuses=ready`);

    expect(answer).toMatchObject({ status: 400, body: platformError(400, 'Bad Request') });
  });
});

describe('GET /contents/{id}', () => {
  test('answers the catalogue view, another shape than the record of restore', async () => {
    const platform = new PlatformUnderTest();
    const { archivedContentIds, authorRefs } = await platform.tenant();

    const answer = await read(platform, `${CONTENTS}/${archivedContentIds[0]}`);

    expect(answer.body).toEqual({
      id: archivedContentIds[0],
      title: 'Course 1',
      description: expect.any(String) as string,
      tags: ['sandbox'],
      type: 'course',
      createdAt: '2025-01-01T00:00:00.000Z',
      updatedAt: '2025-01-01T00:00:00.000Z',
      author: authorRefs[0],
      isOfficial: false,
    });
  });

  test('404: the content does not exist', async () => {
    const platform = new PlatformUnderTest();

    const answer = await read(platform, `${CONTENTS}/${'0'.repeat(24)}`);

    expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
  });
});
