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
      'A draft, whose items are processed one by one; it is ready when all of them are ok. The author is the acting user; ' +
      'a collaboration that is named owns the content. All fields but the acting user’s are assumed.',
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
      'Changes what is given, of a content that is not archived; new items take the place of all others. All fields but ' +
      'the acting user’s are assumed.',
    access: 'write',
    requestBody: body('Update', { authorRef: AUTHOR_REF, title: 'First aid at work' }),
    success: [200, CATALOGUE],
    refusals: [...OF_WRITES, 404, 409],
  },
  delete: {
    summary: 'Delete a content',
    description:
      'Whatever state the content is in. It is listed as deleted from then on, and found nowhere else.',
    access: 'write',
    requestBody: AUTHOR,
    success: [204, empty('The content does not exist any more.')],
    refusals: [...OF_WRITES, 404],
  },
  publish: {
    summary: 'Publish a content',
    description: 'A content that is ready becomes published.',
    access: 'write',
    requestBody: AUTHOR,
    success: [200, CATALOGUE],
    refusals: [...OF_WRITES, 404, 409],
  },
  list: {
    summary: 'List contents',
    description:
      'All contents but the deleted ones, or those with one of the statuses of an older vocabulary.',
    access: 'read',
    parameters: [
      {
        name: 'statuses',
        in: 'query',
        description:
          'Joined with commas, or the parameter several times. created stands for draft and ready; that is assumed.',
        schema: { type: 'array', items: { enum: LEGACY_STATUSES } },
        style: 'form',
        explode: false,
      },
    ],
    success: [200, CATALOGUE_LIST],
    refusals: [400, ...OF_READS],
  },
  get: {
    summary: 'Look at a content',
    description: 'In the catalogue view, which is another shape than what restore and archive answer.',
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
      'A re-publish, not a rewind: the content becomes published, whatever it was before it was archived; any other than ' +
      'an archived one stays as it is, with 409. Method, path and status are assumed.',
    success: [200, recordOf('published')],
  }),
};

/** The operations of the content interface. @param base its path below that of the deployment */
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
  description: 'Identifier of the content: 24 hexadecimal digits. That is assumed.',
  schema: { type: 'string' },
};

function comingSoon(described: Pick<Described, 'summary' | 'description' | 'success'>): Described {
  return {
    ...described,
    description: `${described.description} Answered with 404 while it is not available (control: POST /restore).`,
    access: 'write',
    'x-provisional': true,
    parameters: ['X-Author-Ref', 'X-Collaboration-Id'].map((name) => ({
      name,
      in: 'header',
      description:
        'The acting user may move here from the body; the names are assumed. Read only where control says so (POST ' +
        '/restore); the body then needs no field, and may be left out.',
      schema: { type: 'string', minLength: 1 },
    })),
    requestBody: body(
      'ActingUser',
      { authorRef: AUTHOR_REF, collaborationId: COLLABORATION_ID },
      'Who acts: at least one of the two. With a collaborationId alone, the change is recorded against a system account.',
    ),
    refusals: [...OF_WRITES, 404, 409],
  };
}
