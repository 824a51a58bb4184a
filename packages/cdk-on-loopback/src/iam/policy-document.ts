import { z } from 'zod';
import { type PolicyDocument } from '../account';
import { AwsError } from '../aws/aws-error';
import { malformationOf, type PolicyOwner, refusalOf } from './malformed-policy';

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

/** The format in which `evaluatePolicies` takes a policy document. It may still be one that AWS refuses. */
export const policyDocument = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z.union([statement, z.array(statement)]),
}) satisfies z.ZodType<PolicyDocument>;

/** A policy document that the owner's service accepts. If not, the issue's `params.refusal` is the service's error. */
export function policyDocumentOf(owner: PolicyOwner): z.ZodType<PolicyDocument> {
  return z
    .unknown()
    .superRefine((document, issues) => {
      const malformation = malformationOf(document, owner);
      if (!malformation) return;
      issues.addIssue({
        code: 'custom',
        ...malformation,
        params: { refusal: refusalOf(owner) },
        continue: false,
      });
    })
    .pipe(policyDocument);
}

/** Reads a session policy, which AssumeRole gets as JSON. @throws {AwsError} MalformedPolicyDocument */
export function parseSessionPolicy(text: string): PolicyDocument {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw malformed('This policy is not JSON.', error);
  }
  const parsed = policyDocumentOf('session').safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed(`This policy is malformed: ${z.core.toDotPath(issue?.path ?? [])}: ${issue?.message}`);
}

function malformed(message: string, cause?: unknown): AwsError {
  return new AwsError('MalformedPolicyDocument', message, { statusCode: 400, cause });
}
