import { LEGACY_STATUSES } from '../content/views';
import { CONTENT_OPERATIONS, CONTENT_ROUTES, type ContentOperation } from '../operations';
import { body, empty, UNEXPECTED_ERROR } from './answer-parts';
import { AUTHOR_REF, CATALOGUE, CATALOGUE_LIST, CREATED, recordOf, REFUSALS } from './content-answers';
import { type Answer, type Operation, type Parameter, type ServedOperation } from './openapi-document';

type Status = keyof typeof REFUSALS;

const OF_READS: readonly Status[] = [401, 403, 502];
const OF_WRITES: readonly Status[] = [400, 401, 403, 413, 415, 422, 502];

type Described = Pick<Operation, 'summary' | 'description'> &
  Partial<Pick<Operation, 'parameters' | 'requestBody' | 'x-provisional'>> & {
    readonly access: 'read' | 'write';
    /** The status and answer of a success. */
    readonly success: readonly [number, Answer];
    readonly refusals: readonly Status[];
  };

const COLLABORATION_ID = '507f191e810c19729de860eb';
const AUTHOR = body('Author', { authorRef: AUTHOR_REF });

const DESCRIBED: Readonly<Record<ContentOperation, Described>> = {
  create: {
    summary: 'Create a content',
    description:
      'Creates a draft and processes its items one by one; the content is ready when all of them are ok. The author is ' +
      'the acting user. If a collaboration is given, it owns the content. All fields except the acting user are assumed.',
    access: 'write',
    requestBody: body('Creation', {
      authorRef: AUTHOR_REF,
      collaborationId: COLLABORATION_ID,
      title: 'First aid',
      tags: ['safety'],
      items: [{ type: 'video', summary: 'Bandages' }],
    }),
    success: [201, CREATED],
    refusals: OF_WRITES,
  },
  update: {
    summary: 'Change a content',
    description:
      'Changes the given fields of a content that is not archived. Given items replace all existing ones. All fields ' +
      'except the acting user are assumed.',
    access: 'write',
    requestBody: body('Update', { authorRef: AUTHOR_REF, title: 'First aid at work' }),
    success: [200, CATALOGUE],
    refusals: [...OF_WRITES, 404, 409],
  },
  delete: {
    summary: 'Delete a content',
    description: 'Works in any state. A deleted content appears only in lists that ask for deleted ones.',
    access: 'write',
    requestBody: AUTHOR,
    success: [204, empty('The content is deleted.')],
    refusals: [...OF_WRITES, 404],
  },
  publish: {
    summary: 'Publish a content',
    description: 'Publishes a content that is ready.',
    access: 'write',
    requestBody: AUTHOR,
    success: [200, CATALOGUE],
    refusals: [...OF_WRITES, 404, 409],
  },
  list: {
    summary: 'List contents',
    description:
      'Lists all contents except deleted ones, or those with one of the given statuses (older vocabulary).',
    access: 'read',
    parameters: [
      {
        name: 'statuses',
        in: 'query',
        description:
          'Separate values with commas, or repeat the parameter. created covers draft and ready (assumed).',
        schema: { type: 'array', items: { enum: LEGACY_STATUSES } },
        style: 'form',
        explode: false,
      },
    ],
    success: [200, CATALOGUE_LIST],
    refusals: [400, ...OF_READS],
  },
  get: {
    summary: 'Get a content',
    description:
      'Returns the catalogue view, which has a different shape from the record that restore and archive return.',
    access: 'read',
    success: [200, CATALOGUE],
    refusals: [404, ...OF_READS],
  },
  archive: comingSoon({
    summary: 'Archive a content (provisional)',
    description: 'Method, path and status are assumed.',
    success: [200, recordOf('archived')],
  }),
  restore: comingSoon({
    summary: 'Restore an archived content (coming soon, provisional)',
    description:
      'Publishes an archived content again, whatever its status before it was archived. A content in any other status is ' +
      'not modified, and the answer is 409. Method, path and status are assumed.',
    success: [200, recordOf('published')],
  }),
};

/** The operations of the content interface. @param base its path, relative to the deployment's */
export function contentOperations(base: string): ServedOperation[] {
  return CONTENT_OPERATIONS.map((operation) => {
    const { method, path } = CONTENT_ROUTES[operation];
    return { route: { method, path: base + path }, operation: operationOf(operation, path) };
  });
}

function operationOf(name: ContentOperation, path: string): Operation {
  const { access, success, refusals, parameters = [], ...described } = DESCRIBED[name];
  const [status, answer] = success;
  return {
    operationId: `${name}Content`,
    tags: ['content'],
    ...described,
    security: [{ bearer: [`api/${access}`] }, { bearer: ['api/all'] }, { basic: [] }],
    parameters: [...(path.includes('{id}') ? [ID] : []), ...parameters],
    responses: {
      [status]: answer,
      ...Object.fromEntries(refusals.map((refused) => [refused, REFUSALS[refused]])),
      default: UNEXPECTED_ERROR,
    },
  };
}

const ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Identifier of the content: 24 hexadecimal digits (assumed).',
  schema: { type: 'string' },
};

function comingSoon(described: Pick<Described, 'summary' | 'description' | 'success'>): Described {
  return {
    ...described,
    description: `${described.description} Answers 404 while unavailable (control: POST /restore).`,
    access: 'write',
    'x-provisional': true,
    parameters: ['X-Author-Ref', 'X-Collaboration-Id'].map((name) => ({
      name,
      in: 'header',
      description:
        'Provisional: the acting user, if it moves from the body to headers. Read only when control ' +
        'sets actingUserIn to header (POST /restore); the body is then optional. The name is assumed, and control can ' +
        'change it (actingUserHeaders).',
      schema: { type: 'string', minLength: 1 },
    })),
    requestBody: body(
      'ActingUser',
      { authorRef: AUTHOR_REF, collaborationId: COLLABORATION_ID },
      'The acting user: at least one of the two fields. With only a collaborationId, the change is recorded against a ' +
        'system account.',
    ),
    refusals: [...OF_WRITES, 404, 409],
  };
}
