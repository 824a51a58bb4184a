import { type Route } from '../operations';
import { type JsonSchema } from './zod-json-schema';

/** A JSON body. */
export interface JsonContent {
  readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown };
}
/** A path parameter, query parameter or request header. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly style?: 'form';
  readonly explode?: boolean;
}
/** A response header. */
export interface Header {
  readonly description: string;
  readonly required?: true;
  readonly schema: JsonSchema;
}
/** The response for one status. */
export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: JsonContent;
}
/** An operation with its request and its responses, by status or `default`. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: true;
    readonly description?: string;
    readonly content: JsonContent;
  };
  readonly responses: Readonly<Record<string, Answer>>;
  /** Coming soon, and may change. */
  readonly 'x-provisional'?: true;
}
/** An operation and where it is served. */
export interface ServedOperation {
  readonly route: Route;
  readonly operation: Operation;
  /** Overrides the document's server. */
  readonly server?: Server;
}
/** A base URL with variables in braces. */
export interface Server {
  readonly url: string;
  readonly description: string;
  readonly variables: Readonly<
    Record<
      string,
      { readonly default: string; readonly enum?: readonly string[]; readonly description?: string }
    >
  >;
}

type Path = { readonly servers?: readonly [Server] } & { readonly [method: string]: Operation };

/** The part of OpenAPI that the sandbox uses. @see https://spec.openapis.org/oas/v3.1.1 */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly [Server];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly [];
  readonly paths: Readonly<Record<string, Path>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

/** The server variable for the sandbox's origin. */
export const ORIGIN = {
  default: 'https://127.0.0.1:8443',
  description: 'With --separate-ports every address has its own origin: GET /_sandbox/addresses lists them.',
};

/** Builds an OpenAPI document. All operations on a path must have the same server. */
export function openApiDocument({
  title,
  description,
  operations,
  ...parts
}: Pick<OpenApiDocument, 'servers' | 'tags' | 'components'> & {
  readonly title: string;
  readonly description: string;
  readonly operations: readonly ServedOperation[];
}): OpenApiDocument {
  const paths: Record<string, Path> = {};
  for (const { route, server, operation } of operations) {
    paths[route.path] = {
      ...paths[route.path],
      ...(server && { servers: [server] }),
      [route.method.toLowerCase()]: operation,
    } as Path;
  }
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
  return {
    openapi: '3.1.1',
    info: { title, version: '1', description, license },
    security: [],
    ...parts,
    paths,
  };
}
