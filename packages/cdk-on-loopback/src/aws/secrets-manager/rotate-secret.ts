import { type RotationRules } from '../../account';
import { requireInvocationAllowed } from '../../iam/authorize';
import { type Input } from '../input';
import { type Operations } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';
import { readVersionId } from './secret-versions';

/** The operations on the rotation of secrets. */
export const ROTATION_OPERATIONS: Operations = {
  /**
   * Configures rotation and starts one, or a configuration test if `RotateImmediately` is false. Returns at once.
   * The caller must be allowed to invoke the rotation function. Managed external secrets are not supported.
   */
  RotateSecret: {
    parameters: ['SecretId', 'ClientRequestToken', 'RotationLambdaARN', 'RotationRules', 'RotateImmediately'],
    run(input, call) {
      // Other operations use another code: LocalStack's test_no_client_request_token, recorded on AWS.
      const versionId = readVersionId(input, 'InvalidParameterException');
      const lambdaArn = input.optionalText('RotationLambdaARN', { max: 2048 });
      const rules = readRules(input);
      const isImmediate = input.optionalBoolean('RotateImmediately') ?? true;
      const secret = openSecret(input, call, 'RotateSecret', {
        'secretsmanager:RotationLambdaARN': lambdaArn,
        'secretsmanager:ModifyRotationRules': String(rules !== undefined),
        'secretsmanager:RotateImmediately': String(isImmediate),
      });
      const functionArn = lambdaArn ?? secret.rotation?.lambdaArn;
      if (functionArn !== undefined) requireInvocationAllowed(call, functionArn);
      requireNotDeleted(secret);
      call.rotator.request(secret, { versionId, lambdaArn, rules, isImmediate });
      return { ARN: secret.arn, Name: secret.name, VersionId: versionId };
    },
  },

  /** Turns rotation off. A running rotation ends after its current step and keeps its labels. */
  CancelRotateSecret: {
    parameters: ['SecretId'],
    run(input, call) {
      const secret = openSecret(input, call, 'CancelRotateSecret');
      requireNotDeleted(secret);
      call.rotator.cancel(secret);
      return { ARN: secret.arn, Name: secret.name };
    },
  },
};

function readRules(input: Input): RotationRules | undefined {
  const given = input.optionalInput('RotationRules');
  if (!given) return undefined;
  given.refuseOtherThan(['AutomaticallyAfterDays', 'Duration', 'ScheduleExpression']);
  return {
    automaticallyAfterDays: given.optionalInteger('AutomaticallyAfterDays', { min: 1, max: 1000 }),
    duration: given.optionalText('Duration', { min: 2, max: 3 }),
    scheduleExpression: given.optionalText('ScheduleExpression', { max: 256 }),
  };
}
