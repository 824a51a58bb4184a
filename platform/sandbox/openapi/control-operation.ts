import { type Route } from '../operations';
import { json, refusal, TOO_LARGE, UNEXPECTED_ERROR } from './answer-parts';
import { type Answer, type Operation, type Parameter, type ServedOperation } from './openapi-document';

/** A tenant of examples. */
export const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: 'me-south-1_StagingMe' };
const EXAMPLES: Readonly<Record<string, string>> = { ...TENANT, contentId: '507f1f77bcf86cd799439011' };

const INVALID = refusal(400, 'The body is not JSON, or invalid: each fault is named by its path.');

interface Described {
  readonly summary: string;
  readonly description?: string;
  readonly request?: Operation['requestBody'];
  /** Besides those that every operation with a body may be answered with. */
  readonly answers: Operation['responses'];
}

/** An operation of control. @param tag its subject */
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
      responses: { ...answers, ...(request && { 400: INVALID, 413: TOO_LARGE }), default: UNEXPECTED_ERROR },
    },
  };
}

/** An answer with such a body. */
export function ok(schema: string, description: string): Answer {
  return { description, content: json(schema) };
}

/** The answer where what a request names is missing. */
export function notThere(what: string): Answer {
  return refusal(404, `There is no such ${what}.`);
}

function pathParameter(name: string): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: `Such as ${EXAMPLES[name]}.`,
    schema: { type: 'string' },
  };
}
