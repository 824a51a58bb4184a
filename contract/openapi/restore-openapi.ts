import { TENANT_ID } from '../platform';
import { CONTENT_ID } from '../content-id';
import { MAX_BODY_BYTES, RESTORE_PATH, type RestoreAuth } from '../restore-operation';
import { documentedAnswers } from './answers';
import { EXAMPLE_CONTENT_ID, EXAMPLE_TENANT_ID, REQUEST_EXAMPLES } from './examples';
import { type JsonSchema } from './json-schema';
import { type DocumentedContent, type DocumentedResponse, responsesOf } from './responses';
import { ACTING_USER, GATEWAY_MESSAGE, PROBLEM, RESTORED_ITEM, RESTORED_RECORD } from './schemas';

/** A path parameter. */
export interface DocumentedParameter {
  name: string;
  in: 'path';
  required: true;
  description: string;
  schema: JsonSchema;
  example: string;
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters: DocumentedParameter[];
  requestBody: { required: true; description: string; content: Record<string, DocumentedContent> };
  responses: Record<string, DocumentedResponse>;
}

/** A security scheme; its further fields depend on the type. */
export interface SecurityScheme {
  type: 'http' | 'apiKey';
  description: string;
  [more: string]: string;
}

/** The parts of an OpenAPI document that the restore API uses. */
export interface RestoreApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string; variables: Record<string, { default: string }> }[];
  security: Record<string, string[]>[];
  paths: Record<typeof RESTORE_PATH, { post: DocumentedOperation }>;
  components: {
    schemas: Record<string, JsonSchema>;
    securitySchemes: Record<string, SecurityScheme>;
  };
}

/** The security schemes of each mode. */
const SECURITY_SCHEMES = {
  platform: {
    basic: {
      type: 'http',
      scheme: 'basic',
      description: 'The platform’s Basic scheme, with the identifier and API key of the tenant in the path.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An access token that Latchkey stores for the tenant in the path, of the content interface with scope api/write or ' +
        'api/all. Tokens that a client requested from the platform itself are not accepted.',
    },
  },
  iam: {
    sigv4: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      'x-amazon-apigateway-authtype': 'awsSigv4',
      description:
        'AWS Signature Version 4 for the service execute-api, by a principal with execute-api:Invoke on the route. A path with ' +
        'percent-encoding is refused.',
    },
  },
} as const satisfies Record<RestoreAuth, Record<string, SecurityScheme>>;

/**
 * The restore API in OpenAPI 3.1, generated from the tables and types that the API itself uses. One document per mode,
 * because authentication and its errors differ. Every object is closed, so an undocumented field is an error.
 * @see https://spec.openapis.org/oas/v3.1.1
 */
export function restoreOpenApi(auth: RestoreAuth): RestoreApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Latchkey restore API',
      version: '1',
      description:
        'Restores archived content of a learning platform. A 502 promises that the content was not modified. After ' +
        'outcome_unknown (500 or 504), check the content before you retry. Every error is a problem with a stable code, ' +
        'except one that API Gateway sends in its own format.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{restoreApiUrl}',
        description: 'The value of the deployment’s SSM parameter restore-api-url.',
        variables: {
          restoreApiUrl: { default: 'https://a1b2c3d4e5.execute-api.eu-west-2.amazonaws.com/v1' },
        },
      },
    ],
    security: Object.keys(SECURITY_SCHEMES[auth]).map((name) => ({ [name]: [] })),
    paths: {
      [RESTORE_PATH]: {
        post: {
          operationId: 'restoreContent',
          summary: 'Restore archived content',
          description:
            'Publishes archived content again, whatever its status was before it was archived. Sends the platform at most ' +
            'one request that it may process, and never retries when the outcome is unknown.',
          parameters: parameters(),
          requestBody: {
            required: true,
            description: `Who acts, as JSON of at most ${MAX_BODY_BYTES} bytes. Content-Type must be application/json.`,
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/ActingUser' },
                examples: REQUEST_EXAMPLES,
              },
            },
          },
          responses: responsesOf(documentedAnswers(auth)),
        },
      },
    },
    components: {
      schemas: {
        ActingUser: ACTING_USER,
        RestoredRecord: RESTORED_RECORD,
        RestoredItem: RESTORED_ITEM,
        Problem: PROBLEM,
        GatewayMessage: GATEWAY_MESSAGE,
      },
      securitySchemes: SECURITY_SCHEMES[auth],
    },
  };
}

function parameters(): DocumentedParameter[] {
  return [
    {
      name: 'tenantId',
      in: 'path',
      required: true,
      description: 'Identifier that the platform issued to the tenant. The deployment must serve the tenant.',
      schema: { type: 'string', minLength: 1, maxLength: 128, pattern: TENANT_ID.source },
      example: EXAMPLE_TENANT_ID,
    },
    {
      name: 'contentId',
      in: 'path',
      required: true,
      description:
        'Identifier of the archived content: 1–128 letters, digits, ".", "_", "~" and "-", but not "." or "..".',
      schema: { type: 'string', minLength: 1, maxLength: 128, pattern: CONTENT_ID.source },
      example: EXAMPLE_CONTENT_ID,
    },
  ];
}
