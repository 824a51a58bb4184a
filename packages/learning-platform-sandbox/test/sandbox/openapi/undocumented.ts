import { errorBody } from '../../../src/sandbox/errors';
import { DOCUMENTED, type DocumentedOperation, findings } from './documented-operations';

/** The parts of a request that matter for its answer. */
export interface SeenRequest {
  readonly method: string;
  /** Path or absolute URL, including the query. */
  readonly path: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined unless it is JSON. */
  readonly json?: unknown;
}
/** A response with its body, parsed if it is JSON. */
export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Headers of every answer and of its connection. */
const ADDED = ['content-type', 'date', 'connection'];
/** With these headers, archive and restore need no body. Tests set the third name (`POST /restore`). */
const ACTING_USER_HEADERS = ['x-author-ref', 'x-collaboration-id', 'acting-author'];
/** The statuses for an unknown operation: not found, too large, or unauthorized below the webhooks base. */
const REFUSED = [404, 413, 401];

/** The ways in which an answer differs from the sandbox's OpenAPI documents; empty if it is documented. */
export function undocumented(request: SeenRequest, answer: SeenAnswer): string[] {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const { pathname } = new URL(request.path, 'https://127.0.0.1');
  const path = pathname === '/' ? '/_sandbox/addresses' : pathname;
  const documented = DOCUMENTED.find((each) => each.method === method && each.serves(path));
  if (!documented || isOfNoOperation(answer)) return noOperationFindings(answer);

  const { responses } = documented.operation;
  const key = Object.hasOwn(responses, answer.status) ? String(answer.status) : 'default';
  if (key === 'default' && answer.status !== 500) return [`status ${answer.status} is not documented`];
  return [
    ...headerFindings(documented, key, answer),
    ...(request.method === 'HEAD' ? [] : bodyFindings(documented, key, answer)),
    ...(answer.status < 300 ? requestFindings(documented, request) : []),
  ];
}

/** Also matches deployments that are not served. */
function isOfNoOperation({ status, body }: SeenAnswer): boolean {
  return status === 404 && (body as { message?: unknown }).message === 'no such operation';
}

function noOperationFindings({ status, body }: SeenAnswer): string[] {
  const { error } = errorBody(status, '');
  const isRefused = REFUSED.includes(status) && (body as { error?: unknown }).error === error;
  return isRefused ? [] : [`the operation is not documented, and answered with ${status}`];
}

function headerFindings({ operation }: DocumentedOperation, key: string, { headers }: SeenAnswer): string[] {
  const documented = Object.entries(operation.responses[key]!.headers ?? {});
  const names = documented.map(([name]) => name.toLowerCase());
  return [
    ...documented
      .filter(([name, { required }]) => required && !headers.has(name))
      .map(([name]) => `header ${name} is missing`),
    ...documented
      .filter(([name, { schema }]) => 'const' in schema && ![schema.const, null].includes(headers.get(name)))
      .map(([name]) => `header ${name} has another value`),
    ...[...headers.keys()]
      .filter((name) => !names.includes(name) && !ADDED.includes(name))
      .map((name) => `header ${name} is not documented`),
  ];
}

function bodyFindings(documented: DocumentedOperation, key: string, { headers, body }: SeenAnswer): string[] {
  if (!documented.operation.responses[key]!.content) {
    return body === '' ? [] : ['a body is not documented'];
  }
  const mediaType = headers.get('content-type');
  if (mediaType !== 'application/json') return [`content type ${mediaType} is not documented`];
  const validate = documented.schema('responses', key, 'content', mediaType)!;
  return validate(body) ? [] : findings('body', validate);
}

/** A request that the document does not allow must not succeed. */
function requestFindings(documented: DocumentedOperation, { headers, json }: SeenRequest): string[] {
  const { requestBody, 'x-provisional': isProvisional } = documented.operation;
  if (!requestBody || (isProvisional && ACTING_USER_HEADERS.some((name) => name in headers))) return [];
  const validate = documented.schema('requestBody', 'content', 'application/json')!;
  return validate(json) ? [] : findings('request body of a success', validate);
}
