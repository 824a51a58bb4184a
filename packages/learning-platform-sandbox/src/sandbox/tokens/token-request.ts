import { z } from '@hono/zod-openapi';
import { type Interface } from '../deployment-key';

/** The scopes of each interface. @see platform specification, "OAuth token request (JSON body)" */
export const SCOPES: Readonly<Record<Interface, readonly string[]>> = {
  content: ['api/all', 'api/read', 'api/write'],
  webhooks: ['api/webhooks', 'api/all'],
};
const filled = z.string().min(1);
const requestSchema = z.object({
  scope: filled,
  grant_type: filled,
  client_id: filled,
  client_secret: filled,
});
type TokenRequest = z.output<typeof requestSchema>;

/** The body of a token request that an interface accepts. */
export function tokenRequestSchema(interfaceName: Interface) {
  return requestSchema.extend({
    scope: z.enum(SCOPES[interfaceName]),
    grant_type: z.literal('client_credentials'),
  });
}

/** The error codes. @see RFC 6749, section 5.2 */
export const TOKEN_ERRORS = [
  'invalid_request',
  'unsupported_grant_type',
  'invalid_client',
  'invalid_scope',
] as const;

/** A refused token request, with an error code of RFC 6749, section 5.2. */
export class TokenRequestError extends Error {
  readonly code: (typeof TOKEN_ERRORS)[number];

  /** @param message the `error_description`, which may hold no quotation mark, backslash or non-ASCII character */
  constructor(code: TokenRequestError['code'], message: string) {
    super(message);
    this.name = 'TokenRequestError';
    this.code = code;
  }
}

/**
 * Reads the body of a token request. Unknown fields are ignored (RFC 6749, section 3.2).
 * @throws {TokenRequestError} `invalid_request` unless it is a JSON object with the four required strings,
 *   `unsupported_grant_type` for any grant type except client_credentials
 */
export function readTokenRequest(body: string): TokenRequest {
  const { data: request, error } = requestSchema.safeParse({ ...parseObject(body) });
  if (error) {
    const wrong = error.issues.map(({ path }) => path.join());
    throw new TokenRequestError('invalid_request', `required, as non-empty strings: ${wrong.join(', ')}`);
  }
  if (request.grant_type !== 'client_credentials') {
    throw new TokenRequestError('unsupported_grant_type', 'the only grant_type is client_credentials');
  }
  return request;
}

/**
 * Checks that the scope belongs to the interface.
 * @throws {TokenRequestError} `invalid_scope`
 */
export function requireKnownScope(scope: string, interfaceName: Interface): void {
  if (SCOPES[interfaceName].includes(scope)) return;
  throw new TokenRequestError(
    'invalid_scope',
    `the scopes of ${interfaceName} are ${SCOPES[interfaceName].join(', ')}`,
  );
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // Falls through: the parser's own message would quote the body.
  }
  throw new TokenRequestError('invalid_request', 'the body is not a JSON object');
}
