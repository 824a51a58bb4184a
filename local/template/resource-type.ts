import { z } from 'zod';
import { type Account } from '../account';
import { type CreatedResource } from './resolve';
import { TemplateError, type TemplateErrorCode } from './template';

/** The context in which a resource is created. */
export interface ResourceContext {
  account: Account;
  stackName: string;
  logicalId: string;
  nowMs: number;
  /** Folders of file assets, by object key. */
  assetDirs: Map<string, string>;
  /** Base URL of the AWS endpoint. Queue URLs begin with it, so that no client leaves the machine. */
  endpointUrl: string;
  /** Returns `length` random letters and digits. */
  random: (length: number) => string;
}

/** A CloudFormation resource type. */
export interface ResourceType {
  /**
   * Creates the resource's state in the account.
   * @param properties already resolved
   * @throws {TemplateError} if the properties contain anything not supported
   */
  create(properties: unknown, context: ResourceContext): CreatedResource;
}

/**
 * Defines a resource type with a closed list of properties. `schema` must be strict at every level, and must declare
 * properties without effect here with {@link irrelevant}.
 */
export function resourceType<S extends z.ZodType>(
  schema: S,
  create: (properties: z.output<S>, context: ResourceContext) => CreatedResource,
): ResourceType {
  return {
    create: (properties, context) => {
      const parsed = schema.safeParse(properties);
      if (parsed.success) return create(parsed.data, context);
      throw failure(
        'not_supported',
        context,
        `has properties that the local account does not support:\n${z.prettifyError(parsed.error)}`,
      );
    },
  };
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

/** A {@link TemplateError} that names the stack and resource. */
export function failure(code: TemplateErrorCode, context: ResourceContext, message: string): TemplateError {
  return new TemplateError(code, `stack ${context.stackName}, ${context.logicalId}: ${message}`);
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
  return `arn:aws:${service}:${account.region}:${account.accountId}:${resource}`;
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
