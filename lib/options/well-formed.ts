import { z } from 'zod';

import { type DeploymentKey } from '../../core/tokens/token-key';
import { isLate, lateNameRule } from './arn';
import { type ConfigurationIssue, InsteadOfValue } from './configuration-issue';
import { type Configuration, type DeploymentConfiguration } from './schema';

/** A value without its malformed parts: any part may be missing. The profile of an issuer is complete. */
export type WellFormed<T> = T extends readonly (infer Item)[]
  ? (WellFormed<Item> | undefined)[]
  : T extends object
    ? { [Name in keyof T]?: (Name extends 'profile' ? T[Name] : WellFormed<T[Name]>) | undefined }
    : T;

export type WellFormedConfiguration = WellFormed<Configuration>;
export type WellFormedDeployment = WellFormed<DeploymentConfiguration>;
export type WellFormedTenant = WellFormed<DeploymentConfiguration['tenants'][number]>;

/** The well-formed parts of a value, with defaults. Rules across fields check these, so that one run reports every fault. */
export function wellFormed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): WellFormed<z.output<Schema>> | undefined {
  return partsOf(schema, value) as WellFormed<z.output<Schema>> | undefined;
}

function partsOf(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const choices = choicesOf(schema);
  if (choices.length > 1)
    return choices.map((choice) => partsOf(choice, value)).find((part) => part !== undefined);
  const parts = childrenOf(choices[0]!, value)?.map(
    ([name, child, childValue]) => [name, partsOf(child, childValue)] as const,
  );
  return Array.isArray(value) ? parts?.map(([, part]) => part) : parts && Object.fromEntries(parts);
}

/**
 * Issues for options that must be known at synthesis but have a value that only the deployment knows.
 * @param isFile whether the value is a configuration file, which cannot have such values at all
 */
export function lateIssues(
  schema: z.core.$ZodType,
  value: unknown,
  isFile: boolean,
  path: ConfigurationIssue['path'] = [],
): ConfigurationIssue[] {
  const choices = choicesOf(schema);
  const rule = choices.map(lateNameRule).find((nameRule) => nameRule !== undefined);
  if (rule !== undefined) {
    const isFault = isFile && typeof value === 'string' && !rule.form.test(value);
    return isFault ? [{ path, found: value, allowed: rule.error }] : [];
  }
  if (isLate(value)) return [{ path, found: LATE_VALUE, allowed: 'one that is known at synthesis' }];
  return choices
    .flatMap((choice) => childrenOf(choice, value) ?? [])
    .flatMap(([name, child, childValue]) => lateIssues(child, childValue, isFile, [...path, name]));
}

const LATE_VALUE = new InsteadOfValue('a value that only the deployment knows');

/** The items or fields of a value, with their schemas; undefined if it is no list or object of this schema. */
function childrenOf(
  schema: z.core.$ZodType,
  value: unknown,
): [name: string | number, schema: z.core.$ZodType, value: unknown][] | undefined {
  if (schema instanceof z.ZodTuple)
    return Array.isArray(value)
      ? schema.def.items.map((item, index) => [index, item, value[index] as unknown])
      : undefined;
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

/** The choices of a union, or the schema itself, without optional and default wrappers. */
function choicesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  if (isWrapper) return choicesOf(schema.def.innerType);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(choicesOf) : [schema];
}

/** The deployment key; undefined if a part is malformed. */
export function wellFormedKeyOf({
  issuer,
  environment,
  platformRegion,
}: WellFormedDeployment): DeploymentKey | undefined {
  if (environment === undefined) return undefined;
  if (issuer !== undefined) return { issuer, environment, platformRegion };
  return platformRegion === undefined ? undefined : { environment, platformRegion };
}

/** The addresses of a deployment of the learning platform. */
export function addressesIn<Addresses>(
  endpoints:
    { readonly [environment: string]: { readonly [region: string]: Addresses } | undefined } | undefined,
  { issuer, environment = '', platformRegion = '' }: WellFormedDeployment,
): Addresses | undefined {
  return issuer === undefined ? endpoints?.[environment]?.[platformRegion] : undefined;
}
