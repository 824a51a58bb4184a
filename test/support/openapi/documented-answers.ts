import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';

import { type RestoreApiDocument, restoreOpenApi } from '../../../contract/openapi/restore-openapi';
import { type DocumentedResponse } from '../../../contract/openapi/responses';
import { RESTORE_PATH, type RestoreAuth } from '../../../contract/restore-operation';

/** An answer as its caller has it, over whatever it came. */
export interface SeenAnswer {
  status: number;
  /** In any case; several values of one name as a list. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed where it is JSON. */
  body: unknown;
}

/** What was asked, as far as it is known. */
export interface SeenRequest {
  method?: string;
  /** Parsed where it is JSON. */
  body?: unknown;
}

/**
 * What API Gateway and HTTP add to every answer, or put in the place of what a function says.
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

/** What the OpenAPI document says of the operation, with its schemas compiled as they are needed. */
class DocumentedOperation {
  private readonly auth: RestoreAuth;
  private readonly document: RestoreApiDocument;
  private readonly ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });

  constructor(auth: RestoreAuth) {
    this.auth = auth;
    this.document = restoreOpenApi(auth);
    // The document holds schemas and is none: its own words are not to be taken for misspelt keywords.
    for (const keyword of Object.keys(this.document)) this.ajv.addKeyword(keyword);
    this.ajv.addSchema(this.document, auth);
  }

  /** Undefined where the status is not documented. */
  response(status: number): DocumentedResponse | undefined {
    return this.document.paths[RESTORE_PATH].post.responses[String(status)];
  }

  /** The schema at a place in the operation. */
  schema(...path: string[]): ValidateFunction {
    const pointer = ['paths', RESTORE_PATH, 'post', ...path, 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    return this.ajv.getSchema(`${this.auth}#/${pointer}`)!;
  }
}

const operations: Partial<Record<RestoreAuth, DocumentedOperation>> = {};

/**
 * What the OpenAPI document does not say of an answer of the restore API: nothing, where it is documented in full.
 * @param request where it is known: a success must not follow on a request that the document does not allow
 */
export function undocumented(answer: SeenAnswer, auth: RestoreAuth, request: SeenRequest = {}): string[] {
  const operation = (operations[auth] ??= new DocumentedOperation(auth));
  const response = operation.response(answer.status);
  if (response === undefined) return [`status ${answer.status} is not documented in ${auth} mode`];
  return [
    ...headerFindings(operation, response, answer),
    ...bodyFindings(operation, response, answer, request),
    ...requestFindings(operation, answer, request),
  ];
}

/** Expects an answer to be documented in full. What the answer holds is not printed. */
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

/** Names places and rules, not values: an answer that is wrong may hold anything. */
function findings(what: string, { errors }: ValidateFunction): string[] {
  return (errors ?? []).map(({ instancePath, message, params }) => {
    const field = (params as { additionalProperty?: string }).additionalProperty;
    return `${what}${instancePath} ${message}${field === undefined ? '' : `: ${field}`}`;
  });
}
