import { z } from 'zod';
import { type PolicyDocument } from '../account';

const strings = z.union([z.string(), z.array(z.string())]);
const conditionValue = z.union([z.string(), z.boolean(), z.number()]).transform(String);
const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: z.union([z.literal('*'), z.record(z.string(), strings)]).optional(),
  NotPrincipal: z.unknown().optional(),
  Action: strings.optional(),
  NotAction: strings.optional(),
  Resource: strings.optional(),
  NotResource: strings.optional(),
  Condition: z
    .record(z.string(), z.record(z.string(), z.union([conditionValue, z.array(conditionValue)])))
    .optional(),
});

/** The format of a policy document. local/iam evaluates it. */
export const policyDocument = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z.union([statement, z.array(statement)]),
}) satisfies z.ZodType<PolicyDocument>;
