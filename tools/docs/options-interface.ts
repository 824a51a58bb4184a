import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { constructSchemaOf, jsonSchemaOf } from '../../lib/options/schema';
import { hasPlainDefault, type Schema } from './json-schema';

/** `lib/options/latchkey-options.ts`: the options of a construct as TypeScript shows them in an editor. */
export function optionsInterface(): string {
  const { properties = {}, required = [] } = jsonSchemaOf(constructSchemaOf(LEARNING_PLATFORM)) as Schema;
  return `// Generated from ./schema.ts by \`npm run docs\`; do not edit.

/** Options of a deployment, the same in a file and for a construct: docs/configuration.md lists them. */
export interface LatchkeyOptions ${fieldsOf(properties, required)}
`;
}

function fieldsOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentOf(field)}readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${mark}: ${typeOf(field)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

function commentOf(field: Schema): string {
  const tag = hasPlainDefault(field) ? ` @default ${JSON.stringify(field.default)}` : '';
  const text = `${field.description ?? ''}${tag}`.trim().replaceAll('*/', '*\\/');
  return text === '' ? '' : `/** ${text} */\n`;
}

function typeOf(schema: Schema): string {
  const { type, enum: values, const: only, items, properties, required, additionalProperties } = schema;
  const choices = schema.anyOf ?? schema.oneOf;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' | ');
  if (items !== undefined) return `readonly (${typeOf(items)})[]`;
  if (properties !== undefined) return fieldsOf(properties, required ?? []);
  if (typeof additionalProperties === 'object')
    return `{ readonly [name: string]: ${typeOf(additionalProperties)} }`;
  return type === 'integer' ? 'number' : (type ?? 'unknown');
}
