import { type JsonSchema } from './json-schema';

/** A header of the restore API's own answers. */
export interface DocumentedHeader {
  description: string;
  schema: JsonSchema;
}

/** Headers that answers have besides Content-Type and what API Gateway adds to each. */
export const HEADERS = {
  'Cache-Control': {
    description: 'Answers are not to be stored.',
    schema: { type: 'string', const: 'no-store' },
  },
  'X-Content-Type-Options': {
    description: 'The media type is what Content-Type says.',
    schema: { type: 'string', const: 'nosniff' },
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate (RFC 9110, section 11.6.1), or what a token lacks (RFC 6750, section 3.1).',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'How many seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
  },
  Accept: {
    description: 'The media type that the API takes (RFC 9110, section 15.5.16).',
    schema: { type: 'string', const: 'application/json' },
  },
} as const satisfies Record<string, DocumentedHeader>;

export type HeaderName = keyof typeof HEADERS;
