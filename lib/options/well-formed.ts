import { z } from 'zod';

import { type DeploymentKey } from '../../core/tokens/token-key';
import { isLate, mayBeLate } from './arn';
import { type ConfigurationIssue } from './configuration-issue';
import { type Configuration, type DeploymentConfiguration } from './schema';

/** A value of which any part may be missing, because it is malformed. */
export type WellFormed<T> = T extends readonly (infer Item)[]
  ? (WellFormed<Item> | undefined)[]
  : T extends object
    ? { [Name in keyof T]?: WellFormed<T[Name]> | undefined }
    : T;

export type WellFormedConfiguration = WellFormed<Configuration>;
export type WellFormedDeployment = WellFormed<DeploymentConfiguration>;
export type WellFormedTenant = WellFormed<DeploymentConfiguration['tenants'][number]>;

/**
 * The well-formed parts of a value, with defaults. Rules across fields look at these, so that one run reports every fault.
 */
export function wellFormed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): WellFormed<z.output<Schema>> | undefined {
  return partsOf(schema, value) as WellFormed<z.output<Schema>> | undefined;
}

function partsOf(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion)
    return inner.options.map((option) => partsOf(option, value)).find((part) => part !== undefined);
  const parts = childrenOf(inner, value)?.map(
    ([name, child, childValue]) => [name, partsOf(child, childValue)] as const,
  );
  return Array.isArray(value) ? parts?.map(([, part]) => part) : parts && Object.fromEntries(parts);
}

/** Values that only the deployment knows, where a value is needed at synthesis: functions read it from a file. */
export function lateIssues(
  schema: z.core.$ZodType,
  value: unknown,
  path: ConfigurationIssue['path'] = [],
): ConfigurationIssue[] {
  const inner = unwrapped(schema);
  const choices = inner instanceof z.ZodUnion ? inner.options : [inner];
  if (isLate(value)) {
    const isAllowed = choices.some(mayBeLate);
    return isAllowed ? [] : [{ path, found: LATE_VALUE, allowed: 'one that is known at synthesis' }];
  }
  const children = choices.map((choice) => childrenOf(choice, value)).find((all) => all !== undefined) ?? [];
  return children.flatMap(([name, child, childValue]) => lateIssues(child, childValue, [...path, name]));
}

const LATE_VALUE = Symbol('a value that only the deployment knows');

/** The parts of a list or object, with the schema of each; undefined if the value is none. */
function childrenOf(
  schema: z.core.$ZodType,
  value: unknown,
): [name: string | number, schema: z.core.$ZodType, value: unknown][] | undefined {
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((item, index) => [index, schema.element, item]) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parts = value as Record<string, unknown>;
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as z.core.$ZodShape).map(([name, part]) => [name, part, parts[name]]);
  if (schema instanceof z.ZodRecord)
    return Object.entries(parts).map(([name, part]) => [name, schema.valueType, part]);
  return undefined;
}

/** The schema without what makes it optional. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return isWrapper ? unwrapped(schema.def.innerType) : schema;
}

/** The deployment key; undefined if environment or platform region is malformed. */
export function deploymentKeyOf({
  environment,
  platformRegion,
}: WellFormedDeployment): DeploymentKey | undefined {
  return environment === undefined || platformRegion === undefined
    ? undefined
    : { environment, platformRegion };
}
