import { json, refusal, TOO_LARGE } from './answer-parts';
import { type Answer, type Header } from './openapi-document';

/** An author reference of examples. */
export const AUTHOR_REF = '507f191e810c19729de860ea';
const CONTENT_ID = '507f1f77bcf86cd799439011';
const CREATED_AT = '2026-01-31T12:00:00.000Z';
const CATALOGUE_VIEW = {
  id: CONTENT_ID,
  title: 'First aid',
  description: '',
  tags: ['safety'],
  type: 'course',
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  author: AUTHOR_REF,
  isOfficial: false,
};
const ITEMS = [
  { id: '507f1f77bcf86cd799439012', type: 'video', rank: 0, summary: 'Bandages', status: 'ok' },
  {
    id: '507f1f77bcf86cd799439013',
    type: 'file',
    rank: 1,
    summary: 'Checklist',
    status: 'error',
    failureReason: 'the file could not be converted',
  },
];

/** The answer in the catalogue view. */
export const CATALOGUE: Answer = {
  description: 'The catalogue view. Its fields are assumed.',
  content: json('CatalogueView', CATALOGUE_VIEW),
};
/** {@link CATALOGUE}, of a content that is new. */
export const CREATED: Answer = {
  ...CATALOGUE,
  headers: {
    Location: { required: true, description: 'Path of the new content.', schema: { type: 'string' } },
  },
};
/** Many catalogue views. */
export const CATALOGUE_LIST: Answer = {
  description: 'Catalogue views. There are no pages; that is assumed.',
  content: {
    'application/json': {
      schema: { type: 'array', items: { $ref: '#/components/schemas/CatalogueView' } },
      example: [CATALOGUE_VIEW],
    },
  },
};

/** The answer of archive and restore. */
export function recordOf(status: 'archived' | 'published'): Answer {
  const example = { id: CONTENT_ID, status, items: ITEMS };
  return { description: `The ${status} content.`, content: json('ContentRecord', example) };
}

const CHALLENGES: Record<string, Header> = {
  'WWW-Authenticate': {
    required: true,
    description: 'What can be tried instead (RFC 6750, section 3; RFC 7617).',
    schema: { type: 'string' },
  },
};
/** What each refusal of the content interface tells. @see platform specification, "Errors" */
export const REFUSALS = {
  400: refusal(400, 'Bad Request: the body is not JSON, or a parameter is wrong. Assumed.'),
  401: refusal(401, 'Unauthorized: authentication is missing or invalid.', CHALLENGES),
  403: refusal(
    403,
    'Forbidden: the caller is not permitted. The scope of the token does not suit.',
    CHALLENGES,
  ),
  404: refusal(404, 'Not Found: the content does not exist.'),
  409: refusal(409, 'Conflict: the content is not in a state in which this is possible.'),
  413: TOO_LARGE,
  415: refusal(415, 'Unsupported Media Type: Content-Type is not application/json.'),
  422: refusal(
    422,
    'Unprocessable Content: the request fails validation (for example, an unknown or foreign authorRef or ' +
      'collaborationId). Nothing was written.',
  ),
  502: refusal(
    502,
    'Bad Gateway: a service the operation depends on failed; of a write, the content was not modified.',
  ),
} satisfies Record<number, Answer>;
