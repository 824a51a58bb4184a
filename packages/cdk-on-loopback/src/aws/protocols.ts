import { parseJsonObject } from '../json-object';
import { AwsError } from './aws-error';
import { Input } from './input';
import { type RestResponse } from './operation';

export type Protocol = 'json' | 'rest-json' | 'query';

/** STS's names for these error codes, in the query protocol. @see IAM user guide, CommonErrors */
const QUERY_CODES: Readonly<Record<string, string>> = {
  AccessDeniedException: 'AccessDenied',
  ExpiredTokenException: 'ExpiredToken',
  IncompleteSignatureException: 'IncompleteSignature',
  InvalidSignatureException: 'SignatureDoesNotMatch',
  MissingAuthenticationTokenException: 'MissingAuthenticationToken',
  UnrecognizedClientException: 'InvalidClientTokenId',
  UnknownOperationException: 'InvalidAction',
  ValidationException: 'ValidationError',
};

/** @throws {AwsError} SerializationException, without any of the body */
export function parseJsonInput(body: Buffer): Input {
  if (body.length === 0) return new Input({});
  const parsed = parseJsonObject(body.toString());
  if (parsed) return new Input(parsed);
  throw new AwsError('SerializationException', 'The request body is not a JSON object.');
}

/** Parses the form of a query request, without its protocol fields. */
export function parseQueryInput(body: Buffer): { action: string; input: Input } {
  const form = new URLSearchParams(body.toString());
  const action = form.get('Action') ?? '';
  form.delete('Action');
  form.delete('Version');
  return { action, input: new Input(Object.fromEntries(form)) };
}

/** Renders a response of a REST API. */
export function renderRest(document: object, contentType = 'application/json'): RestResponse {
  const headers = { 'Content-Type': contentType };
  return { statusCode: 200, headers, body: Buffer.from(JSON.stringify(document)) };
}

/** Renders a response in the JSON version of the request, 1.0 or 1.1. */
export function renderJson(result: object, requestContentType?: string): RestResponse {
  const version = requestContentType === 'application/x-amz-json-1.0' ? '1.0' : '1.1';
  return renderRest(result, `application/x-amz-json-${version}`);
}

/** @see AWS Query protocol: ActionResponse / ActionResult */
export function renderQuery(action: string, result: object, requestId: string): RestResponse {
  const xml =
    `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">` +
    `<${action}Result>${xmlMembers(result)}</${action}Result>` +
    `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></${action}Response>`;
  return { statusCode: 200, headers: { 'Content-Type': 'text/xml' }, body: Buffer.from(xml) };
}

/** Renders an error so that SDKs create the exception of its code. */
export function renderError(protocol: Protocol, error: AwsError, requestId: string): RestResponse {
  const statusCode = error.statusCode ?? (error.isAboutAccess && protocol !== 'json' ? 403 : 400);
  if (protocol === 'query') {
    const code = QUERY_CODES[error.code] ?? error.code;
    const xml =
      '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">' +
      `<Error><Type>Sender</Type>${xmlMembers({ Code: code, Message: error.message })}</Error>` +
      `<RequestId>${requestId}</RequestId></ErrorResponse>`;
    return { statusCode, headers: { 'Content-Type': 'text/xml' }, body: Buffer.from(xml) };
  }
  const headers = {
    'Content-Type': protocol === 'json' ? 'application/x-amz-json-1.1' : 'application/json',
    'x-amzn-ErrorType': error.code,
    ...error.headers,
  };
  // SDKs read `message`; boto3 reads either. Lambda's members begin with a capital.
  const document = { __type: error.code, message: error.message, Message: error.message, ...error.fields };
  return { statusCode, headers, body: Buffer.from(JSON.stringify(document)) };
}

/** The members in order; a nested object becomes a nested element. */
function xmlMembers(members: object): string {
  return Object.entries(members)
    .map(([name, value]: [string, string | object]) => {
      const content = typeof value === 'string' ? escapeXml(value) : xmlMembers(value);
      return `<${name}>${content}</${name}>`;
    })
    .join('');
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
