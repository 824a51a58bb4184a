import * as fc from 'fast-check';

import { deploymentPaths } from '../../platform/sandbox/addresses';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

const { content } = deploymentPaths({ environment: 'staging', platformRegion: 'mea' });
/** Prefix, one path segment that cannot traverse, and suffix. */
const ONE_SEGMENT = new RegExp(`^${content}/contents/(?!\\.{1,2}/)[\\w.~-]{1,128}/restore$`);
/** UTF-8 bytes, each as one character, unencoded. */
const raw = (text: string) => Buffer.from(text).toString('latin1');

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

let api: RestoreApiUnderTest;
beforeAll(async () => (api = await RestoreApiUnderTest.start()), START_TIMEOUT_MS);
afterAll(() => api?.stop());
beforeEach(() => api.sandbox.control('POST', 'reset'));
afterEach(() => (api.hole = undefined));

/** What the restore function asks about its operation after a 404, with an id of its own. */
const PROBE = /\/contents\/[0-9a-f]{24}\/(restore(-[0-9a-f]{16})?|publish)$/;

/**
 * The outcome for an id exactly as given in the path: the answer's status, and the paths that reached the
 * platform.
 */
async function outcomeOf(call: { tenantId?: string; contentId: string }) {
  const { status } = await api.call(call);
  const { requests } = await api.sandbox.control<{ requests: { target: string; path: string }[] }>(
    'GET',
    'counters',
  );
  return { status, paths: requests.map(({ path }) => path).filter((path) => !PROBE.test(path)) };
}

async function expectNothingSent(contentId: string) {
  const { status, paths } = await outcomeOf({ contentId });

  expect(paths).toEqual([]);
  expect([400, 404, 422]).toContain(status);
}

// C450-C470 cover simpler ids.
describe('T3 path traversal', () => {
  test.each([
    ['a dot segment', '.'],
    ['two dots', '..'],
    ['one dot encoded', '.%2E'],
    ['an encoded slash', '..%2f..%2fadmin'],
    ['a slash encoded twice', 'x%252fy'],
    ['a backslash', '..\\..\\admin'],
    ['an overlong slash', '..%c0%af'],
    ['overlong dots', '%c0%ae%c0%ae'],
    ['an overlong slash of three bytes', '%e0%80%af'],
    ['half a surrogate pair', '%ed%a0%80'],
    ['a full-width slash', 'x%ef%bc%8fy'],
    ['full-width dots', raw('．．')],
    ['a division slash', raw('x∕y')],
    ['a letter beyond ASCII', raw('ä')],
    ['a fragment', 'x%23'],
    ['another host', '%2f%2fevil.example'],
    ['a user at a host', '@evil.example'],
    ['a scheme', 'https%3a%2f%2fevil.example'],
    ['a broken encoding', 'x%zz'],
    ['the name of a parameter', '%7BcontentId%7D'],
  ])('sends nothing for an id that is or holds %s', (_, contentId) => expectNothingSent(contentId));

  test('for any ids, the function requests only the path of that content id, or nothing', async () => {
    const part = fc.constantFrom(
      ...['.', '..', '/', '\\', '%2e', '%2F', '%5c', '%25', '%00', '%c0%af', '%ef%bc%8f', '?', ';', '@', ':'],
      ...['a', '9', '~', '-', '_', raw('ü'), '//', '../'],
    );
    const segment = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    const tenantId = fc.oneof({ weight: 3, arbitrary: fc.constant(api.tenants[0].tenantId) }, segment);
    await fc.assert(
      fc.asyncProperty(tenantId, segment, async (tenant, contentId) => {
        await api.sandbox.control('POST', 'reset');

        const { status, paths } = await outcomeOf({ tenantId: tenant, contentId });

        expect([400, 401, 404, 422]).toContain(status);
        expect(paths.length).toBeLessThanOrEqual(1);
        for (const path of paths) {
          expect(path).toMatch(ONE_SEGMENT);
          expect(path).toBe(`${content}/contents/${decodeURIComponent(contentId)}/restore`);
        }
      }),
      { numRuns: 150 },
    );
  });
});
