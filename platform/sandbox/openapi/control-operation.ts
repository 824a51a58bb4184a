import { type Route } from '../operations';
import { json, refusal, TOO_LARGE, UNEXPECTED_ERROR } from './answer-parts';
import { type Answer, type Operation, type Parameter, type ServedOperation } from './openapi-document';

/** The tenant used in examples. */
export const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: 'me-south-1_StagingMe' };
const EXAMPLES: Readonly<Record<string, string>> = { ...TENANT, contentId: '507f1f77bcf86cd799439011' };

const INVALID = refusal(
  400,
  'The body is not JSON, or is invalid. The message names each fault by its path.',
);

const OF_ANOTHER_SITE = refusal(
  403,
  'A page of another site sent the request, or its Host is not this machine and port.',
);

interface Described {
  readonly summary: string;
  readonly description?: string;
  readonly request?: Operation['requestBody'];
  /** In addition to the answers shared by all operations with a body. */
  readonly answers: Operation['responses'];
}

/** An operation of the control interface. @param tag its subject */
export function operation(
  route: `${Route['method']} /${string}`,
  operationId: string,
  tag: string,
  { summary, description = '', request, answers }: Described,
): ServedOperation {
  const [method, path] = route.split(' ') as [Route['method'], string];
  return {
    route: { method, path },
    operation: {
      operationId,
      summary,
      description,
      tags: [tag],
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name!)),
      ...(request && { requestBody: request }),
      responses: {
        ...answers,
        ...(request && { 400: INVALID, 413: TOO_LARGE }),
        403: OF_ANOTHER_SITE,
        default: UNEXPECTED_ERROR,
      },
    },
  };
}

/** An answer whose body has the named component schema. */
export function ok(schema: string, description: string): Answer {
  return { description, content: json(schema) };
}

/** The 404 for a resource that does not exist. */
export function notFound(what: string): Answer {
  return refusal(404, `No such ${what}.`);
}

function pathParameter(name: string): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: `For example ${EXAMPLES[name]}.`,
    schema: { type: 'string' },
  };
}
