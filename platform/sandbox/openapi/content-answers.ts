import { json, refusal, TOO_LARGE } from './answer-parts';
import { type Answer, type Header } from './openapi-document';

/** The author reference used in examples. */
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
/** {@link CATALOGUE} with the Location of the new content. */
export const CREATED: Answer = {
  ...CATALOGUE,
  headers: {
    Location: { required: true, description: 'Path of the created content.', schema: { type: 'string' } },
  },
};
/** An array of catalogue views. */
export const CATALOGUE_LIST: Answer = {
  description: 'An array of catalogue views, without pagination (assumed).',
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
    description: 'The authentication schemes to try (RFC 6750, section 3; RFC 7617).',
    schema: { type: 'string' },
  },
};
/** The refusals of the content interface, by status. @see platform specification, "Errors" */
export const REFUSALS = {
  400: refusal(400, 'Bad Request: the body is not JSON, or a parameter is invalid. Assumed.'),
  401: refusal(401, 'Unauthorized: authentication is missing or invalid.', CHALLENGES),
  403: refusal(
    403,
    'Forbidden: the caller is not permitted. The scope of the token does not allow this operation.',
    CHALLENGES,
  ),
  404: refusal(404, 'Not Found: the content does not exist.'),
  409: refusal(409, 'Conflict: the content is not in a state that allows this operation.'),
  413: TOO_LARGE,
  415: refusal(415, 'Unsupported Media Type: Content-Type is not application/json.'),
  422: refusal(
    422,
    'Unprocessable Content: the request fails validation (for example, an unknown or foreign authorRef or ' +
      'collaborationId). Nothing was written.',
  ),
  502: refusal(
    502,
    'Bad Gateway: a service the operation depends on failed; a write did not modify the content.',
  ),
} satisfies Record<number, Answer>;
