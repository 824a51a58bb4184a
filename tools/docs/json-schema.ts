/** The part of JSON Schema that the configuration's schema uses. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly then?: Schema;
  readonly else?: Schema;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly propertyNames?: { readonly enum?: readonly string[] };
}

/** Whether the default fits into a line. Otherwise the description says it. */
export function hasPlainDefault({ default: value }: Schema): boolean {
  return value !== undefined && (typeof value !== 'object' || JSON.stringify(value).length <= 2);
}
