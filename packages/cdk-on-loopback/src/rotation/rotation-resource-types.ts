import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AwsError } from '../aws/aws-error';
import { type SecretRotator } from '../interfaces';
import { type CreatedResource } from '../template/resolve';
import {
  invalidTemplate,
  notFound,
  type ResourceContext,
  resourceType,
  type ResourceType,
  wholeNumber,
} from '../template/resource-type';

/** The resource types whose state is in the rotator. */
export function rotationResourceTypes(rotator: SecretRotator): Readonly<Record<string, ResourceType>> {
  return { 'AWS::SecretsManager::RotationSchedule': rotationSchedule(rotator) };
}

/**
 * Creating and updating it calls RotateSecret, even if the secret has a rotation schedule already; deleting it calls
 * CancelRotateSecret.
 * @see https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1813
 */
function rotationSchedule(rotator: SecretRotator): ResourceType {
  const properties = z.strictObject({
    SecretId: z.string(),
    RotationLambdaARN: z.string(),
    RotationRules: z
      .strictObject({
        AutomaticallyAfterDays: wholeNumber.optional(),
        Duration: z.string().optional(),
        ScheduleExpression: z.string().optional(),
      })
      .optional(),
    RotateImmediatelyOnUpdate: z.boolean().default(true),
  });
  const rotate = (
    { SecretId, RotationLambdaARN, RotationRules, RotateImmediatelyOnUpdate }: z.output<typeof properties>,
    context: ResourceContext,
  ): CreatedResource => {
    const secret = context.account.secrets.get(SecretId);
    if (!secret) throw notFound(context, `the account has no secret ${SecretId}`);
    try {
      rotator.request(secret, {
        versionId: randomUUID(),
        lambdaArn: RotationLambdaARN,
        // Without rules the secret keeps those that it has: https://github.com/aws/aws-cdk/issues/27460
        rules: RotationRules && {
          automaticallyAfterDays: RotationRules.AutomaticallyAfterDays,
          duration: RotationRules.Duration,
          scheduleExpression: RotationRules.ScheduleExpression,
        },
        isImmediate: RotateImmediatelyOnUpdate,
      });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      throw invalidTemplate(context, `the rotation of ${secret.name}: ${error.message} (${error.code})`);
    }
    return { ref: SecretId, attributes: { Id: SecretId } };
  };
  return resourceType(properties, rotate, {
    replacedBy: ['SecretId'],
    update: rotate,
    // A secret has one schedule, so deleting another resource for it cancels that one, too.
    delete: ({ ref }, { account }) => {
      const secret = account.secrets.get(ref);
      if (secret) rotator.cancel(secret);
    },
  });
}
