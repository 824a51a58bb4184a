import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AwsError } from '../aws/aws-error';
import { type SecretRotator } from '../interfaces';
import { failure, resourceType, type ResourceType, wholeNumber } from '../template/resource-type';

/** The resource types whose state is in the rotator. */
export function rotationResourceTypes(rotator: SecretRotator): Readonly<Record<string, ResourceType>> {
  return { 'AWS::SecretsManager::RotationSchedule': rotationSchedule(rotator) };
}

/** @see AWS CloudFormation Template Reference, AWS::SecretsManager::RotationSchedule */
function rotationSchedule(rotator: SecretRotator): ResourceType {
  return resourceType(
    z.strictObject({
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
    }),
    ({ SecretId, RotationLambdaARN, RotationRules, RotateImmediatelyOnUpdate }, context) => {
      const secret = context.account.secrets.get(SecretId);
      if (!secret) throw failure('not_found', context, `the account has no secret ${SecretId}`);
      if (secret.rotation)
        throw failure('already_exists', context, `the secret ${secret.name} has a rotation schedule`);
      try {
        rotator.request(secret, {
          versionId: randomUUID(),
          lambdaArn: RotationLambdaARN,
          rules: {
            automaticallyAfterDays: RotationRules?.AutomaticallyAfterDays,
            duration: RotationRules?.Duration,
            scheduleExpression: RotationRules?.ScheduleExpression,
          },
          isImmediate: RotateImmediatelyOnUpdate,
        });
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        throw failure(
          'invalid_template',
          context,
          `the rotation of ${secret.name}: ${error.message} (${error.code})`,
        );
      }
      return { ref: SecretId, attributes: { Id: SecretId } };
    },
  );
}
