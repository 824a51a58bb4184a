import { z } from 'zod';

const KNOWN_RULES = ['CheckBootstrapVersion'] as const;

const resource = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string().transform((id) => [id]), z.array(z.string())]).default([]),
  Condition: z.string().optional(),
  DeletionPolicy: z.enum(['Delete', 'Retain', 'RetainExceptOnCreate']).optional(),
  UpdateReplacePolicy: z.enum(['Delete', 'Retain']).optional(),
  Metadata: z.unknown().optional(),
});

const parameter = z.looseObject({ Type: z.string(), Default: z.union([z.string(), z.number()]).optional() });

/**
 * A CloudFormation template. The schema is strict about everything that could change what is deployed.
 * @see AWS CloudFormation User Guide, "CloudFormation template sections"
 */
export const templateSchema = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  Parameters: z.record(z.string(), parameter).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  /** The CDK's check for the bootstrap stack, which is not needed because nothing is uploaded. */
  Rules: z.partialRecord(z.enum(KNOWN_RULES), z.unknown()).optional(),
  Resources: z.record(z.string(), resource),
  Outputs: z
    .record(z.string(), z.looseObject({ Value: z.unknown(), Condition: z.string().optional() }))
    .default({}),
});

export type Template = z.output<typeof templateSchema>;
export type TemplateResource = z.output<typeof resource>;

/** What is wrong: the files, the template, a conflict with the account's resources, or an update that cannot be undone. */
export type TemplateErrorCode =
  | 'assembly_unreadable'
  | 'not_supported'
  | 'invalid_template'
  | 'already_exists'
  | 'not_found'
  | 'rollback_failed';

/** A stack that cannot run here. The message names the stack, and the resource and path where possible. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly code: TemplateErrorCode;

  constructor(code: TemplateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
