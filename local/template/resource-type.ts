import { z } from 'zod';
import { type Account } from '../account';
import { type CreatedResource } from './resolve';
import { TemplateError, type TemplateErrorCode } from './template';

/** Where a resource is created. */
export interface ResourceContext {
  account: Account;
  stackName: string;
  logicalId: string;
  nowMs: number;
  /** Folder of each file asset by object key. */
  assetDirs: Map<string, string>;
  /** Base address of the AWS endpoint: queue URLs lie below it, so that no client leaves the machine. */
  endpointUrl: string;
  /** `length` random letters and digits. */
  random: (length: number) => string;
}

/** One CloudFormation resource type. */
export interface ResourceType {
  /**
   * Creates the resource's state in the account.
   * @throws {TemplateError} when the properties, already resolved, hold anything the type does not know.
   */
  create(properties: unknown, context: ResourceContext): CreatedResource;
}

/**
 * A resource type with a closed list of properties. `schema` must be strict at every level; a property that is known
 * and makes no difference here is declared with {@link irrelevant}.
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
        `has properties this account does not know:\n${z.prettifyError(parsed.error)}`,
      );
    },
  };
}

/** A resource that makes no difference here, for the reason given. Its properties must resolve; they are not looked at. */
export function noOp(
  reason: string,
  identity?: (context: ResourceContext) => CreatedResource,
): ResourceType & { reason: string } {
  return {
    reason,
    create: (_, context) => identity?.(context) ?? { ref: physicalName(context), attributes: {} },
  };
}

/** A {@link TemplateError} that names stack and resource. */
export function failure(code: TemplateErrorCode, context: ResourceContext, message: string): TemplateError {
  return new TemplateError(code, `stack ${context.stackName}, ${context.logicalId}: ${message}`);
}

/**
 * A name as CloudFormation makes it: stack, logical id and 12 random characters, cut to 64 characters where a limit
 * of the service demands it.
 * @see AWS CloudFormation User Guide, "Name type"
 */
export function physicalName({ stackName, logicalId, random }: ResourceContext): string {
  const suffix = random(12);
  const full = `${stackName}-${logicalId}-${suffix}`;
  return full.length <= 64 ? full : `${stackName.slice(0, 24)}-${logicalId.slice(0, 24)}-${suffix}`;
}

/** `arn:aws:SERVICE:REGION:ACCOUNT:RESOURCE` in the account. */
export function arnOf({ account }: ResourceContext, service: string, resource: string): string {
  return `arn:aws:${service}:${account.region}:${account.accountId}:${resource}`;
}

/** A property that is known, and changes nothing here for the reason given. */
export function irrelevant(reason: string): z.ZodOptional<z.ZodUnknown> {
  return z.unknown().describe(reason).optional();
}

/** A property of which only what AWS takes by default can be had here. */
export function only<T extends string | number | boolean>(value: T): z.ZodOptional<z.ZodType<T>> {
  return z
    .preprocess((given) => (String(given) === String(value) ? value : given), z.literal(value))
    .optional();
}

/** Numbers, which templates also write as strings. */
export const wholeNumber = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);

export const tags = z.array(z.strictObject({ Key: z.string(), Value: z.string() })).default([]);

/** What is only for people's eyes. */
export const description = irrelevant('for people');
