import { controlInterface, controlDocument } from '../../src/sandbox/control/control';
import { interfaceDocument } from '../../src/sandbox/openapi/interface-document';
import { createState } from '../../src/sandbox/sandbox-state';
import { DEFAULT_SEED } from '../../src/sandbox/seed';

/** A JSON Schema. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
interface Server {
  readonly url: string;
  readonly variables: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}
/** What tests read of an operation. */
export interface Operation {
  readonly servers?: readonly [Server];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown };
    };
  };
  /** By status, or `default`. */
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<
          Record<string, { readonly required?: true; readonly schema: JsonSchema }>
        >;
        readonly content?: object;
      }
    >
  >;
  readonly 'x-provisional'?: true;
}
/** What tests read of an OpenAPI document. */
export interface OpenApiDocument {
  readonly servers: readonly [Server];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The OpenAPI documents of the sandbox, as it serves them. */
export const DOCUMENTS = asServed({
  interface: interfaceDocument(),
  control: controlDocument(controlInterface(createState(DEFAULT_SEED))),
});

function asServed(documents: object) {
  return JSON.parse(JSON.stringify(documents)) as Record<'interface' | 'control', OpenApiDocument>;
}
