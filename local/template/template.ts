import { z } from 'zod';

/** Rules that the CDK writes into every template and that this account has no use for. */
const KNOWN_RULES = ['CheckBootstrapVersion'] as const;

const resource = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string().transform((id) => [id]), z.array(z.string())]).default([]),
  Condition: z.string().optional(),
  /** Says what happens on update and deletion, which do not occur: a run starts from nothing and ends with nothing. */
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
  Metadata: z.unknown().optional(),
});

const parameter = z.looseObject({ Type: z.string(), Default: z.union([z.string(), z.number()]).optional() });

/**
 * A CloudFormation template, of which every part that could change what is deployed is known.
 * @see AWS CloudFormation User Guide, "CloudFormation template sections"
 */
export const templateSchema = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  Parameters: z.record(z.string(), parameter).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  /** The check for the bootstrap stack: nothing is uploaded here, so none is needed. */
  Rules: z.partialRecord(z.enum(KNOWN_RULES), z.unknown()).optional(),
  Resources: z.record(z.string(), resource),
  Outputs: z
    .record(z.string(), z.looseObject({ Value: z.unknown(), Condition: z.string().optional() }))
    .default({}),
});

export type Template = z.output<typeof templateSchema>;
export type TemplateResource = z.output<typeof resource>;
