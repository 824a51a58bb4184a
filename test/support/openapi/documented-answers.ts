import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';

import { RESTORE_PATH, type RestoreAuth } from '../../../core/restore/restore-operation';
import { type DocumentedResponse, restoreDocument } from './restore-document';

/** An answer as its caller receives it, over any transport. */
interface SeenAnswer {
  status: number;
  /** Names in any case; several values of one name as a list. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed if it is JSON. */
  body: unknown;
}

interface SeenRequest {
  method?: string;
  /** Parsed if it is JSON. */
  body?: unknown;
}

/**
 * Headers that API Gateway and HTTP add to every answer, or use to replace a function's.
 * @see API Gateway developer guide, api-gateway-known-issues and set-up-lambda-proxy-integrations
 */
const ADDED = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-amz-apigw-id',
  'x-amzn-errortype',
  'x-amzn-remapped-content-length',
  'x-amzn-remapped-date',
  'x-amzn-requestid',
  'x-amzn-trace-id',
];

type DocumentedOperation = ReturnType<typeof documentedOperation>;

/** The OpenAPI document of the operation; its schemas are compiled on demand. */
function documentedOperation(auth: RestoreAuth) {
  const document = restoreDocument(auth);
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  // The document contains schemas but is not one, so its own keywords must not count as misspelled ones.
  for (const keyword of Object.keys(document)) ajv.addKeyword(keyword);
  ajv.addSchema(document, auth);
  return {
    /** Undefined for an undocumented status. */
    response: (status: number): DocumentedResponse | undefined =>
      document.paths[RESTORE_PATH].post.responses[String(status)],
    /** The schema at a path in the operation. */
    schema: (...path: string[]): ValidateFunction => {
      const pointer = ['paths', RESTORE_PATH, 'post', ...path, 'schema']
        .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      return ajv.getSchema(`${auth}#/${pointer}`)!;
    },
  };
}

const operations: Partial<Record<RestoreAuth, DocumentedOperation>> = {};

/**
 * What the OpenAPI document does not allow in an answer of the restore API; empty if it is fully documented.
 * @param request if known: a success requires a valid request
 */
export function undocumented(answer: SeenAnswer, auth: RestoreAuth, request: SeenRequest = {}): string[] {
  const operation = (operations[auth] ??= documentedOperation(auth));
  const response = operation.response(answer.status);
  if (response === undefined) return [`status ${answer.status} is not documented in ${auth} mode`];
  return [
    ...headerFindings(operation, response, answer),
    ...bodyFindings(operation, response, answer, request),
    ...requestFindings(operation, answer, request),
  ];
}

/** Expects an answer to be fully documented, without printing its contents. */
export function expectDocumented(answer: SeenAnswer, auth: RestoreAuth, request: SeenRequest = {}): void {
  const { status } = answer;
  expect({ status, undocumented: undocumented(answer, auth, request) }).toEqual({ status, undocumented: [] });
}

function headerFindings(
  operation: DocumentedOperation,
  { headers }: DocumentedResponse,
  { status, headers: seen }: SeenAnswer,
): string[] {
  const byName = new Map(
    Object.entries(headers).map(([name, header]) => [name.toLowerCase(), { name, header }]),
  );
  const present = Object.entries(seen).filter(([, value]) => value !== undefined);
  const names = present.map(([name]) => name.toLowerCase());
  const missing = [...byName]
    .filter(([lowerCase, { header }]) => header.required && !names.includes(lowerCase))
    .map(([, { name }]) => `header ${name} is missing`);
  const wrong = present.flatMap(([name, value]) => {
    const documented = byName.get(name.toLowerCase());
    if (documented === undefined) {
      return ADDED.includes(name.toLowerCase()) ? [] : [`header ${name} is not documented for ${status}`];
    }
    const isNumber = documented.header.schema.type === 'integer' && /^\d+$/.test(String(value));
    const validate = operation.schema('responses', String(status), 'headers', documented.name);
    return validate(isNumber ? Number(value) : value) ? [] : findings(`header ${name}`, validate);
  });
  return [...missing, ...wrong];
}

function bodyFindings(
  operation: DocumentedOperation,
  { content }: DocumentedResponse,
  { status, headers, body }: SeenAnswer,
  { method }: SeenRequest,
): string[] {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const mediaType = String(value);
  if (!Object.hasOwn(content, mediaType))
    return [`content type ${mediaType} is not documented for ${status}`];
  if (method === 'HEAD') return [];
  const validate = operation.schema('responses', String(status), 'content', mediaType);
  return validate(body) ? [] : findings('body', validate);
}

function requestFindings(
  operation: DocumentedOperation,
  { status }: SeenAnswer,
  { body }: SeenRequest,
): string[] {
  if (status !== 200 || body === undefined) return [];
  const validate = operation.schema('requestBody', 'content', 'application/json');
  return validate(body) ? [] : findings('request body of a success', validate);
}

/** Names places and rules but no values, since a wrong answer may contain anything. */
function findings(what: string, { errors }: ValidateFunction): string[] {
  return (errors ?? []).map(({ instancePath, message, params }) => {
    const field = (params as { additionalProperty?: string }).additionalProperty;
    return `${what}${instancePath} ${message}${field === undefined ? '' : `: ${field}`}`;
  });
}
