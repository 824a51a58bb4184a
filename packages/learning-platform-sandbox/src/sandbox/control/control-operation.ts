import { createRoute, type OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi';
import { type Context } from 'hono';
import { body, refusal, TOO_LARGE, UNEXPECTED_ERROR } from '../openapi/parts';
import { parseJsonBody } from '../json-body';
import { type InputFault, parseInput } from '../validation';

/** An operation of the control interface, as its OpenAPI document describes it. */
interface ControlOperation<Body extends z.ZodType> {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly body?: Body;
  readonly example?: unknown;
  /** Returns faults of the body that the schema cannot express, such as an identifier used twice. */
  readonly brokenRules?: (input: unknown) => readonly InputFault[];
  /** In addition to the responses shared by all operations with a body. */
  readonly responses: RouteConfig['responses'];
  readonly respond: (c: Context, input: z.output<Body>) => Response;
}

/** The tenant used in examples. */
export const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: 'me-south-1_StagingMe' };

const INVALID = refusal(
  400,
  'The body is not JSON, or is invalid. The message names each fault by its path.',
);
const OF_ANOTHER_SITE = refusal(
  403,
  'A page of another site sent the request, or its Host is not this machine and port.',
);

/**
 * Returns a function that serves the operations of one subject and adds them to the app's OpenAPI document.
 *
 * Validation is {@link parseInput} instead of the library's, which reads JSON only from some content types and reports
 * neither the value found nor what is allowed.
 */
export function operationsOf(app: OpenAPIHono, tag: string) {
  return <Body extends z.ZodType>(
    methodAndPath: `${'GET' | 'POST' | 'DELETE'} /${string}`,
    { params, body: schema, example, brokenRules, responses, respond, ...described }: ControlOperation<Body>,
  ): void => {
    const [method = '', path = ''] = methodAndPath.split(' ');
    const route = createRoute({
      ...described,
      method: method.toLowerCase() as RouteConfig['method'],
      path,
      tags: [tag],
      request: { params, ...(schema && { body: body(schema, example) }) },
      responses: {
        ...responses,
        ...(schema && { 400: INVALID, 413: TOO_LARGE }),
        403: OF_ANOTHER_SITE,
        default: UNEXPECTED_ERROR,
      },
    });
    app.openAPIRegistry.registerPath(route);
    app.on(method, route.getRoutingPath(), async (c) => {
      const input = schema && parseInput(schema, await readJson(c), brokenRules);
      return respond(c, input as z.output<Body>);
    });
  };
}

/** The 404 for a resource that does not exist. */
export function notFound(what: string) {
  return refusal(404, `No such ${what}.`);
}

/** The body, whatever its content type. @throws {RefusedRequestError} 400 for malformed JSON */
async function readJson(c: Context): Promise<unknown> {
  return parseJsonBody(await c.req.text(), '(whole input): found no JSON; allowed: well-formed JSON');
}
