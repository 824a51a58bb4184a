import { configurationJsonSchema } from '../../lib/options/schema';
import { hasPlainDefault, type Schema } from './json-schema';
import { tableLines } from './markdown-table';

const INTRODUCTION = `# The configuration

One JSON file holds the whole configuration: \`config/latchkey.json\`, or the file in \`-c config=FILE\` or \`LATCHKEY_CONFIG\`.
[The example](../config/example.json) takes ten lines. Your editor completes fields and checks values with
[the JSON Schema](../config/latchkey.schema.json). The file must not contain secrets. An error lists every fault with its path, the
value found and the allowed values. After a change, \`npx cdk diff\` shows what it does, and \`npx cdk deploy --all\` does it.

\`npm run docs\` generates this page; do not edit it. Options of deployments are those with the learning platform as issuer. The last rows have
what is different for [other issuers](issuers.md). \`[]\` stands for each entry of a list, \`*\` for each name.
`;

/** `docs/configuration.md`: every field with its allowed values, default and meaning. */
export function configurationPage(): string {
  const rows = fieldsOf(JSON.parse(configurationJsonSchema()) as Schema, '');
  const lines = tableLines(['Field', 'Allowed', 'Default', 'Meaning'], rows);
  // Alternatives, such as tokens of both interfaces, have fields in common.
  return `${INTRODUCTION}\n${[...new Set(lines)].join('\n')}\n`;
}

function fieldsOf({ properties = {}, required = [], ...schema }: Schema, path: string): string[][] {
  const propertyRows = Object.entries(properties).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const isRequired = required.includes(name);
    return [
      [`\`${at}\``, allowed(field), defaultOf(field, isRequired), cell(field.description ?? '')],
      ...fieldsOf(field, at),
    ];
  });
  const { items, additionalProperties, oneOf, anyOf } = schema;
  const platformRows = schema.else === undefined ? [] : fieldsOf(schema.else, path);
  const otherIssuerRows = schema.then === undefined ? [] : fieldsOf(schema.then, path);
  const platformKeys = platformRows.map((row) => row.slice(0, 3).join());
  return [
    ...propertyRows,
    ...platformRows,
    // Rows that differ only in their meaning stand once.
    ...otherIssuerRows.filter((row) => !platformKeys.includes(row.slice(0, 3).join())),
    ...(oneOf ?? anyOf ?? []).flatMap((choice) => fieldsOf(choice, path)),
    ...(items === undefined ? [] : fieldsOf(items, `${path}[]`)),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${path}.*`) : []),
  ];
}

function allowed(schema: Schema): string {
  const { type, enum: values, const: only, anyOf, oneOf, items, propertyNames } = schema;
  if (values !== undefined) return values.map(code).join(', ');
  if (only !== undefined) return code(only);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(allowed))].join(' or ');
  if (items !== undefined) return `list of ${allowed(items.else ?? items)}`;
  if (propertyNames?.enum !== undefined) return `object with ${propertyNames.enum.map(code).join(', ')}`;
  return type === 'string' ? 'text' : `${type ?? 'any'}${rangeOf(schema)}`;
}

/** Such as ` from 1 to 10`. The largest safe integer is no limit of Latchkey's. */
function rangeOf({ minimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  const from = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
  return maximum === Number.MAX_SAFE_INTEGER ? `${from}${from && ' on'}` : `${from} to ${maximum}`;
}

function defaultOf(field: Schema, isRequired: boolean): string {
  if (isRequired) return '(required)';
  return hasPlainDefault(field) ? code(field.default) : '–';
}

function code(value: unknown): string {
  return cell(`\`${JSON.stringify(value)}\``);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
