import { type RestoreAuth } from '../restore-operation';

/** A scheme of OpenAPI; what else it has depends on its type. */
export interface SecurityScheme {
  type: 'http' | 'apiKey';
  description: string;
  [more: string]: string;
}

/** Security schemes of the document, of which each mode of the API has its own. */
export const SECURITY_SCHEMES = {
  platform: {
    basic: {
      type: 'http',
      scheme: 'basic',
      description: 'The platform’s Basic scheme: tenant identifier and API key. Of the tenant in the path.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An access token that Latchkey holds for the tenant in the path, on the content interface with scope api/write ' +
        'or api/all. A token that a client got from the platform by itself is unknown here.',
    },
  },
  iam: {
    sigv4: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      'x-amazon-apigateway-authtype': 'awsSigv4',
      description:
        'AWS Signature Version 4 for the service execute-api, by a principal that may call execute-api:Invoke on the route.',
    },
  },
} as const satisfies Record<RestoreAuth, Record<string, SecurityScheme>>;
