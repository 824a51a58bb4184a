import { z } from 'zod';

import { type DeploymentKey } from '../../core/tokens/token-key';
import { type Configuration, configurationSchema, type DeploymentConfiguration } from './schema';

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
 * The well-formed parts of a configuration, with defaults. Rules across fields look at these, so that one run reports every
 * fault of a file.
 */
export function wellFormedConfiguration(value: unknown): WellFormedConfiguration {
  return (wellFormed(configurationSchema, value) ?? {}) as WellFormedConfiguration;
}

function wellFormed(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion)
    return inner.options.map((option) => wellFormed(option, value)).find((part) => part !== undefined);
  if (inner instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((item) => wellFormed(inner.element, item)) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const parts = value as Record<string, unknown>;
  const partsBy = (schemas: [string, z.core.$ZodType][]) =>
    Object.fromEntries(schemas.map(([name, part]) => [name, wellFormed(part, parts[name])]));
  if (inner instanceof z.ZodObject) return partsBy(Object.entries(inner.shape as z.core.$ZodShape));
  if (inner instanceof z.ZodRecord) return partsBy(Object.keys(parts).map((name) => [name, inner.valueType]));
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
