import { answered, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

/** Ids as given in the path, which must not reach the platform. */
const REFUSED: readonly [ClauseCase['id'], string, string][] = [
  ['C450', 'two dots, encoded', '%2E%2E'],
  ['C452', 'an encoded slash', 'a%2Fb'],
  ['C453', 'traversal up and down', '..%2F..%2Fcontents%2Fx'],
  ['C454', 'a backslash', 'a%5Cb'],
  ['C455', 'a line break', 'a%0D%0Ab'],
  ['C456', 'a NUL', 'a%00'],
  ['C458', 'double encoding', '%252E%252E'],
  ['C459', 'a letter that is not ASCII', 'caf%C3%A9'],
  ['C462', '129 characters', 'a'.repeat(129)],
  ['C473', 'one dot', '.'],
  ['C474', 'two dots', '..'],
];

/** Paths that API Gateway cannot read. */
const UNREADABLE: readonly [ClauseCase['id'], string, string][] = [
  ['C477', 'an overlong slash', '..%c0%af'],
  ['C480', 'half a surrogate pair', '%ed%a0%80'],
  ['C488', 'a broken encoding', 'x%zz'],
];

/** Valid ids that no content has. */
const PASSED: readonly [ClauseCase['id'], string, string][] = [
  ['C463', '128 characters', 'a'.repeat(128)],
  ['C464', 'every unreserved mark', 'A-z._~9'],
  ['C465', 'three dots', '...'],
  ['C466', 'one character', 'x'],
];

/** The content's identifier in the path. */
export const CASES: readonly ClauseCase[] = [
  ...REFUSED.map(([id, title, contentId]): ClauseCase => ({
    id,
    clause: 'Endpoints 3, path parameter',
    title: `with ${title}: refused`,
    call: { contentId },
    expected: refused(422, 'invalid_request', { detail: /^contentId in the path/ }),
  })),
  ...UNREADABLE.map(([id, title, contentId]): ClauseCase => ({
    id,
    clause: 'Endpoints 3, path parameter',
    title: `with ${title}: refused before it is read`,
    call: { contentId },
    expected: refused(400, 'malformed_request'),
  })),
  ...PASSED.map(([id, title, contentId]): ClauseCase => ({
    id,
    clause: 'Endpoints 3, path parameter',
    title: `with ${title}: reaches the platform unchanged`,
    call: { contentId },
    expected: answered(404, 404, 'content_not_found', {
      sent: { path: `/staging/mea/rest/v1/contents/${contentId}/restore` },
    }),
  })),
  {
    id: 'C467',
    clause: 'Endpoints 3, path parameter',
    title: 'unnecessary encoding does not change the id',
    call: ({ contentId }) => ({
      contentId: contentId.replace(/./, (c) => `%${c.charCodeAt(0).toString(16)}`),
    }),
    expected: restored(),
  },
  {
    id: 'C469',
    clause: 'Errors, 404 Not Found',
    title: 'for the content of another organization, as if it did not exist',
    given: {
      arrange: async (world) => (world.contentId = await world.api.content('archived', world.neighbor)),
    },
    expected: answered(404, 404, 'content_not_found'),
  },
  {
    id: 'C470',
    clause: 'Errors, 404 Not Found',
    title: 'for the id in another case, which is another id to the platform',
    call: ({ contentId }) => ({ contentId: contentId.toUpperCase() }),
    expected: answered(404, 404, 'content_not_found', {
      sent: ({ contentId }) => ({ path: `/staging/mea/rest/v1/contents/${contentId.toUpperCase()}/restore` }),
    }),
  },
  {
    id: 'C471',
    clause: 'Errors, 404 Not Found',
    title: 'for another method: there is only one operation',
    call: { method: 'GET', body: '' },
    expected: refused(404, 'unknown_route', { detail: /POST/ }),
  },
];
