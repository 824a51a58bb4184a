import { z } from 'zod';
import { type Account } from '../account';
import { type CreatedResource } from './resolve';
import { TemplateError, type TemplateErrorCode } from './template';

export interface ResourceContext {
  account: Account;
  stackName: string;
  logicalId: string;
  nowMs: number;
  /** Folders of file assets, by object key. */
  assetDirs: Map<string, string>;
  /** Folder for the code that templates contain; absent where they may contain none. */
  inlineCodeDir?: string;
  /** Base URL of the AWS endpoint. Queue URLs begin with it, so that no client leaves the machine. */
  endpointUrl: string;
  /** Called for what a template declares and this account does not enforce. */
  onInert: (text: string) => void;
  /** Returns `length` random letters and digits: for one resource always the same sequence, so that it keeps its names. */
  random: (length: number) => string;
}

/** A resource that exists, with the properties that it was last given. */
export interface ExistingResource<Properties = unknown> extends CreatedResource {
  properties: Properties;
}

/** What happens to a resource after its creation. */
interface LifeCycle<Properties> {
  /**
   * The properties whose change replaces the resource.
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html
   * @default none
   */
  replacedBy?: readonly string[];
  /**
   * Changes the resource in place. Returns it if its values for `Fn::GetAtt` may have changed.
   * @default deletes it and creates it again, with the same names; for resources without state of their own
   */
  update?: (
    properties: Properties,
    context: ResourceContext,
    existing: ExistingResource<Properties>,
  ) => CreatedResource | void;
  /** @default leaves everything as it is */
  delete?: (existing: ExistingResource<Properties>, context: ResourceContext) => void;
}

/** A CloudFormation resource type. Properties are already resolved. */
export interface ResourceType extends LifeCycle<unknown> {
  /**
   * Creates the resource's state in the account.
   * @throws {TemplateError} if the properties contain anything not supported
   */
  create(properties: unknown, context: ResourceContext): CreatedResource;
}

/**
 * Defines a resource type. `schema` must be strict at every level: properties that it does not declare have no effect, and
 * `onInert` is called for them, but not for {@link irrelevant} ones. A custom issue with `params.refusal` is the error with
 * which the resource's service refuses the properties.
 */
export function resourceType<S extends z.ZodType>(
  schema: S,
  create: (properties: z.output<S>, context: ResourceContext) => CreatedResource,
  { replacedBy, update, delete: remove }: LifeCycle<z.output<S>> = {},
): ResourceType {
  const parse = (properties: unknown, context: ResourceContext): z.output<S> => {
    const parsed = schema.safeParse(properties);
    if (parsed.success) return parsed.data;
    const unknown = parsed.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
    if (unknown.length > 0) return parse(withoutUnknown(properties, unknown, context), context);
    for (const issue of parsed.error.issues) {
      const refusal = issue.code === 'custom' && (issue.params?.refusal as string | undefined);
      if (refusal)
        throw invalidTemplate(context, `${z.core.toDotPath(issue.path)}: ${issue.message} (${refusal})`);
    }
    const faults = z.prettifyError(parsed.error);
    throw notSupported(context, `has properties that the local account does not support:\n${faults}`);
  };
  const asParsed = (existing: ExistingResource, context: ResourceContext) => ({
    ...existing,
    properties: parse(existing.properties, context),
  });
  return {
    ...(replacedBy && { replacedBy }),
    create: (properties, context) => create(parse(properties, context), context),
    ...(update && {
      update: (properties, context, existing) =>
        update(parse(properties, context), context, asParsed(existing, context)),
    }),
    ...(remove && { delete: (existing, context) => remove(asParsed(existing, context), context) }),
  };
}

/** A copy without the properties that are not known here. Calls `onInert` for each. */
function withoutUnknown(
  properties: unknown,
  issues: readonly z.core.$ZodIssueUnrecognizedKeys[],
  { stackName, logicalId, onInert }: ResourceContext,
): unknown {
  const copy = structuredClone(properties);
  for (const { path, keys } of issues) {
    const parent = path.reduce((value, key) => (value as Record<PropertyKey, unknown>)[key], copy);
    for (const key of keys) {
      delete (parent as Record<string, unknown>)[key];
      onInert(`stack ${stackName}, ${logicalId}: ${z.core.toDotPath([...path, key])} has no effect here`);
    }
  }
  return copy;
}

/** Defines a resource type without effect here, for the given reason. Its properties are resolved but not checked. */
export function noOp(
  reason: string,
  identity?: (context: ResourceContext) => CreatedResource,
): ResourceType & { reason: string } {
  return {
    reason,
    create: (_, context) => identity?.(context) ?? { ref: physicalName(context), attributes: {} },
  };
}

/** Defines a resource type that would limit or send something on AWS and does nothing here, which is said once for each stack. */
export function inert(
  type: string,
  identity?: (context: ResourceContext, properties: Record<string, unknown>) => CreatedResource,
): Readonly<Record<string, ResourceType & { reason: string }>> {
  const create = (properties: unknown, context: ResourceContext): CreatedResource => {
    context.onInert(`stack ${context.stackName}: ${type} has no effect here`);
    const created = identity?.(context, properties as Record<string, unknown>);
    return created ?? { ref: physicalName(context), attributes: {} };
  };
  return { [type]: { reason: 'nothing here is limited or sent by it', create } };
}

/** Stands for a resource of a type that is not known here: it does nothing, and has an id and every attribute. */
export const STAND_IN: ResourceType = {
  create: (_, context) => {
    const ref = physicalName(context);
    return {
      ref,
      attributes: {},
      attributeOf: (name) => (name.endsWith('Arn') ? arnOf(context, 'unknown', ref) : ref),
    };
  },
};

/** A {@link TemplateError} that names the stack and resource. */
export function failure(code: TemplateErrorCode, context: ResourceContext, message: string): TemplateError {
  return new TemplateError(code, `stack ${context.stackName}, ${context.logicalId}: ${message}`);
}

const withCode =
  (code: TemplateErrorCode) =>
  (context: ResourceContext, message: string): TemplateError =>
    failure(code, context, message);

export const alreadyExists = withCode('already_exists');
export const invalidTemplate = withCode('invalid_template');
export const notFound = withCode('not_found');
export const notSupported = withCode('not_supported');

/** A resource's state, for an update. @throws {TemplateError} if it was deleted outside its stack */
export function stateOf<State>(
  states: ReadonlyMap<string, State>,
  key: string | undefined,
  context: ResourceContext,
): State {
  const state = states.get(key ?? '');
  if (!state) throw notFound(context, `${key} was deleted outside its stack`);
  return state;
}

/**
 * A name in CloudFormation's format: stack, logical id and 12 random characters. It is shortened to 64 characters, the
 * limit of some services.
 * @see AWS CloudFormation User Guide, "Name type"
 */
export function physicalName({ stackName, logicalId, random }: ResourceContext): string {
  const suffix = random(12);
  const full = `${stackName}-${logicalId}-${suffix}`;
  return full.length <= 64 ? full : `${stackName.slice(0, 24)}-${logicalId.slice(0, 24)}-${suffix}`;
}

/** The ARN of a resource in the account: `arn:aws:SERVICE:REGION:ACCOUNT:RESOURCE`. */
export function arnOf({ account }: ResourceContext, service: string, resource: string): string {
  return account.arn(service, resource);
}

/** A supported property without effect here, for the given reason. */
export function irrelevant(reason: string): z.ZodOptional<z.ZodUnknown> {
  return z.unknown().describe(reason).optional();
}

/** A property that is supported only with AWS's default value. */
export function only<T extends string | number | boolean>(value: T): z.ZodOptional<z.ZodType<T>> {
  return z
    .preprocess((given) => (String(given) === String(value) ? value : given), z.literal(value))
    .optional();
}

/** A number, which templates may also write as a string. */
export const wholeNumber = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);

export const tags = z.array(z.strictObject({ Key: z.string(), Value: z.string() })).default([]);

/** A description, which has no effect. */
export const description = irrelevant('for people');
