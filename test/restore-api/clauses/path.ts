import { answered, refused, restored } from '../../support/restore-api/clause-case';
import { casesOf, type Clauses } from './clause';

/** The content's identifier in the path. */
export const PATH: Clauses = {
  'Endpoints 3, path parameter': {
    ...casesOf(
      [
        ['two dots, encoded', '%2E%2E'],
        ['an encoded slash', 'a%2Fb'],
        ['traversal up and down', '..%2F..%2Fcontents%2Fx'],
        ['a backslash', 'a%5Cb'],
        ['a line break', 'a%0D%0Ab'],
        ['a NUL', 'a%00'],
        ['double encoding', '%252E%252E'],
        ['a letter that is not ASCII', 'caf%C3%A9'],
        ['129 characters', 'a'.repeat(129)],
        ['one dot', '.'],
        ['two dots', '..'],
      ],
      (contentId) => ({
        call: { contentId },
        expected: refused(422, 'invalid_request', { detail: /^contentId in the path/ }),
      }),
    ),
    ...casesOf(
      [
        ['an overlong slash, which API Gateway cannot read', '..%c0%af'],
        ['half a surrogate pair, which API Gateway cannot read', '%ed%a0%80'],
        ['a broken encoding, which API Gateway cannot read', 'x%zz'],
      ],
      (contentId) => ({ call: { contentId }, expected: refused(400, 'malformed_request') }),
    ),
    ...casesOf(
      [
        ['128 characters of no content reach the platform', 'a'.repeat(128)],
        ['every unreserved mark reaches the platform', 'A-z._~9'],
        ['three dots reach the platform', '...'],
        ['one character reaches the platform', 'x'],
      ],
      (contentId) => ({
        call: { contentId },
        expected: answered(404, 404, 'content_not_found', {
          sent: { path: `/staging/mea/rest/v1/contents/${contentId}/restore` },
        }),
      }),
    ),
    'unnecessary encoding does not change the id': {
      call: ({ contentId }) => ({
        contentId: contentId.replace(/./, (c) => `%${c.charCodeAt(0).toString(16)}`),
      }),
      expected: restored(),
    },
  },
  'Errors, 404 Not Found': {
    'for the content of another organization, as if it did not exist': {
      given: {
        arrange: async (world) => (world.contentId = await world.api.content('archived', world.neighbor)),
      },
      expected: answered(404, 404, 'content_not_found'),
    },
    'for the id in another case, which is another id to the platform': {
      call: ({ contentId }) => ({ contentId: contentId.toUpperCase() }),
      expected: answered(404, 404, 'content_not_found', {
        sent: ({ contentId }) => ({
          path: `/staging/mea/rest/v1/contents/${contentId.toUpperCase()}/restore`,
        }),
      }),
    },
    'for another method: there is only one operation': {
      call: { method: 'GET', body: '' },
      expected: refused(404, 'unknown_route', { detail: /POST/ }),
    },
  },
};
