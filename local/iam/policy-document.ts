import { z } from 'zod';
import { type PolicyDocument } from '../account';
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

/** The format of a policy document that no service checks. local/iam evaluates it. */
export const policyDocument = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z.union([statement, z.array(statement)]),
}) satisfies z.ZodType<PolicyDocument>;

/** The policy document of an owner, which its service refuses if it is malformed: with the error in the issue's `params`. */
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
