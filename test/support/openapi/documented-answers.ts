import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';

import { RESTORE_PATH } from '../../../core/restore/restore-operation';
import { type DocumentedResponse, restoreDocument } from './restore-document';

/** An answer as its caller receives it, over any transport. */
interface SeenAnswer {
  status: number;
  /** Names in any case; several values of one name as a list. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed if it is JSON. */
  body: unknown;
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

const document = restoreDocument('platform');
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
// The document contains schemas but is not one, so its own keywords must not count as misspelled ones.
for (const keyword of Object.keys(document)) ajv.addKeyword(keyword);
ajv.addSchema(document, 'document');

/** The schema at a path in the operation. */
function schemaAt(...path: string[]): ValidateFunction {
  const pointer = ['paths', RESTORE_PATH, 'post', ...path, 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  return ajv.getSchema(`document#/${pointer}`)!;
}

/**
 * What the OpenAPI document does not allow in an answer of the restore API; empty if it is fully documented.
 * @param requestBody parsed, if known: a success requires a valid request
 */
export function undocumented(answer: SeenAnswer, requestBody?: unknown): string[] {
  const { status, headers, body } = answer;
  const response = document.paths[RESTORE_PATH].post.responses[String(status)];
  if (response === undefined) return [`status ${status} is not documented`];
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const mediaType = String(value);
  if (!Object.hasOwn(response.content, mediaType))
    return [`content type ${mediaType} is not documented for ${status}`];
  const isOfSuccess = status === 200 && requestBody !== undefined;
  return [
    ...headerFindings(response, answer),
    ...findings('body', schemaAt('responses', String(status), 'content', mediaType), body),
    ...(isOfSuccess
      ? findings(
          'request body of a success',
          schemaAt('requestBody', 'content', 'application/json'),
          requestBody,
        )
      : []),
  ];
}

function headerFindings({ headers }: DocumentedResponse, { status, headers: seen }: SeenAnswer): string[] {
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
    const schema = schemaAt('responses', String(status), 'headers', documented.name);
    return findings(`header ${name}`, schema, isNumber ? Number(value) : value);
  });
  return [...missing, ...wrong];
}

/** Names places and rules but no values, since a wrong answer may contain anything. */
function findings(what: string, validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return validate.errors!.map(({ instancePath, message, params }) => {
    const field = (params as { additionalProperty?: string }).additionalProperty;
    return `${what}${instancePath} ${message}${field === undefined ? '' : `: ${field}`}`;
  });
}
