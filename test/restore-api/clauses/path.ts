import { type Break } from '../../support/breaks/break';
import { answered, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { broken } from './product';

const ANY_ID = broken('restoreRequest', '!CONTENT_ID.test(request.contentId)', 'false');
const DOTS = broken('contract', String.raw`(?!\.{1,2}$)`, '');

/** Ids as they stand in the path, none of which the platform may ever see. */
const REFUSED: readonly [ClauseCase['id'], string, string, Break][] = [
  ['C450', 'two dots, encoded', '%2E%2E', DOTS],
  ['C451', 'one dot, encoded', '%2e', DOTS],
  ['C452', 'an encoded slash', 'a%2Fb', ANY_ID],
  ['C453', 'a way up and down again', '..%2F..%2Fcontents%2Fx', ANY_ID],
  ['C454', 'a backslash', 'a%5Cb', ANY_ID],
  ['C455', 'a line break', 'a%0D%0Ab', ANY_ID],
  ['C456', 'a NUL', 'a%00', ANY_ID],
  ['C457', 'an encoded question mark', 'a%3Fstatus=draft', ANY_ID],
  ['C458', 'a percent sign: encoded twice', '%252E%252E', ANY_ID],
  ['C459', 'a letter that is not ASCII', 'caf%C3%A9', ANY_ID],
  ['C460', 'a space', 'a%20b', ANY_ID],
  ['C461', 'a semicolon, which begins a parameter', 'a;v=1', ANY_ID],
  ['C462', '129 characters', 'a'.repeat(129), broken('contract', '{1,128}', '{1,129}')],
];

/** Ids that are possible, though no content has them. */
const PASSED: readonly [ClauseCase['id'], string, string, Break][] = [
  ['C463', '128 characters', 'a'.repeat(128), broken('contract', '{1,128}', '{1,127}')],
  [
    'C464',
    'every mark that is unreserved',
    'A-z._~9',
    broken('contract', '[A-Za-z0-9._~-]{', '[A-Za-z0-9._-]{'),
  ],
  ['C465', 'three dots', '...', broken('contract', String.raw`\.{1,2}$`, String.raw`\.{1,3}$`)],
  ['C466', 'one character', 'x', broken('contract', '{1,128}', '{2,128}')],
];

/** The unique identifier of the content, in the path. */
export const CASES: readonly ClauseCase[] = [
  ...REFUSED.map(([id, title, contentId, brokenBy]): ClauseCase => ({
    id,
    clause: 'Endpoints 3, path parameter',
    title: `with ${title} is refused`,
    call: { contentId },
    expected: refused(422, 'invalid_request', { detail: /^contentId in the path/ }),
    brokenBy,
  })),
  ...PASSED.map(([id, title, contentId, brokenBy]): ClauseCase => ({
    id,
    clause: 'Endpoints 3, path parameter',
    title: `with ${title} reaches the platform as it is`,
    call: { contentId },
    expected: answered(404, 404, 'content_not_found', {
      sent: { path: `/staging/mea/rest/v1/contents/${contentId}/restore` },
    }),
    brokenBy,
  })),
  {
    id: 'C467',
    clause: 'Endpoints 3, path parameter',
    title: 'encoded though it need not be is the same id',
    call: ({ contentId }) => ({
      contentId: contentId.replace(/./, (c) => `%${c.charCodeAt(0).toString(16)}`),
    }),
    expected: restored(),
    brokenBy: broken(
      'restoreHandler',
      "event.pathParameters?.contentId ?? ''",
      "event.path.split('/').at(-2) ?? ''",
    ),
  },
  {
    id: 'C468',
    clause: 'Endpoints 3, path parameter',
    title: 'is checked before the fields of the body',
    call: { contentId: 'a%2Fb', body: { authorRef: '' } },
    expected: refused(422, 'invalid_request', { detail: /^contentId in the path/ }),
    brokenBy: ANY_ID,
  },
  {
    id: 'C469',
    clause: 'Errors, 404 Not Found',
    title: 'for the content of another organisation, as if there were none',
    given: {
      arrange: async (world) => (world.contentId = await world.api.content('archived', world.neighbour)),
    },
    expected: answered(404, 404, 'content_not_found'),
    brokenBy: broken('outcomeOfStatus', "  404: 'contentNotFound',\n", ''),
  },
  {
    id: 'C470',
    clause: 'Errors, 404 Not Found',
    title: 'for the id in another case, which the platform takes for another one',
    call: ({ contentId }) => ({ contentId: contentId.toUpperCase() }),
    expected: answered(404, 404, 'content_not_found', {
      sent: ({ contentId }) => ({ path: `/staging/mea/rest/v1/contents/${contentId.toUpperCase()}/restore` }),
    }),
    brokenBy: broken(
      'platformContent',
      'encodeURIComponent(contentId)',
      'encodeURIComponent(contentId.toLowerCase())',
    ),
  },
  {
    id: 'C471',
    clause: 'Errors, 404 Not Found',
    title: 'for another method: there is one operation',
    call: { method: 'GET', body: '' },
    expected: refused(404, 'unknown_route', { detail: /POST/ }),
    brokenBy: broken(
      'gatewayProblems',
      "    status: 404,\n    code: 'unknown_route',\n    title: 'Not Found',\n    detail: `There is POST ${RESTORE_PATH} only.`,\n    retry: 'after_correction',\n  },\n  iam:",
      "    status: 403,\n    code: 'forbidden',\n    title: 'Forbidden',\n    detail: 'Missing Authentication Token',\n    retry: 'no',\n  },\n  iam:",
    ),
  },
];
