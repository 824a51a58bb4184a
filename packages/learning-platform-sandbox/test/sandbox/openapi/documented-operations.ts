import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';

import { DOCUMENTS, type OpenApiDocument, type Operation } from '../../support/documents';

/** One operation of a document with its schemas. */
export interface DocumentedOperation {
  /** In upper case. */
  readonly method: string;
  /** As in the document: relative to the server, with parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
  /** Whether the operation serves a path of the sandbox. */
  readonly serves: (path: string) => boolean;
  /** The schema at a place in the operation, if any. */
  readonly schema: (...place: string[]) => ValidateFunction | undefined;
}

/** All operations of both documents. */
export const DOCUMENTED: readonly DocumentedOperation[] = Object.entries(DOCUMENTS).flatMap(
  ([name, document]) => operationsOf(name, document),
);

/** Reports places and rules, not values. */
export function findings(what: string, { errors }: ValidateFunction): string[] {
  return (errors ?? []).map(({ instancePath, message, params }) => {
    const field = (params as { additionalProperty?: string }).additionalProperty;
    return `${what}${instancePath} ${message}${field === undefined ? '' : `: ${field}`}`;
  });
}

function operationsOf(name: string, document: OpenApiDocument): DocumentedOperation[] {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    formats: { 'date-time': true },
  });
  // In strict mode, Ajv must know the document's own fields, because the document is added like a schema.
  for (const keyword of Object.keys(document)) ajv.addKeyword(keyword);
  ajv.addSchema(document, name);

  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const pattern = patternOf((operation.servers ?? document.servers)[0], path);
      return {
        method: method.toUpperCase(),
        path,
        operation,
        serves: (sent: string) => pattern.test(sent),
        schema: (...place: string[]) => {
          const parts = ['paths', path, method, ...place, 'schema'].map((part) =>
            encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
          );
          return ajv.getSchema(`${name}#/${parts.join('/')}`) as ValidateFunction | undefined;
        },
      };
    }),
  );
}

function patternOf({ url, variables }: OpenApiDocument['servers'][0], path: string): RegExp {
  const base = url
    .replace('{origin}', '')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(${variables[name]!.enum!.join('|')})`);
  return new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
