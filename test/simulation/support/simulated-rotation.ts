import { type RotationEvent } from '../../../core/rotation/rotation';
import {
  type Account,
  type InvocationResult,
  lambdaFunction,
  type PolicyDocument,
  RecordingReporter,
  Rotator,
  RunClock,
} from 'cdk-on-loopback/testing';
import { type DrivenTime } from '../../support/live/driven-time';

export const ROTATION_FUNCTION = 'arn:aws:lambda:eu-west-2:111122223333:function:rotate-credentials';

/**
 * The local host's rotation of secrets, in an account with one function that runs the steps.
 * @param doStep runs one step; the function fails with what it throws
 */
export function rotatorOf(
  account: Account,
  time: DrivenTime,
  doStep: (event: RotationEvent) => Promise<void>,
): Rotator {
  const resourcePolicy: PolicyDocument = {
    Statement: {
      Effect: 'Allow',
      Principal: { Service: 'secretsmanager.amazonaws.com' },
      Action: 'lambda:InvokeFunction',
      Resource: ROTATION_FUNCTION,
    },
  };
  const fn = lambdaFunction('rotate-credentials', { arn: ROTATION_FUNCTION, resourcePolicy });
  account.functions.set(ROTATION_FUNCTION, fn);
  const rotator = new Rotator({
    account,
    clock: new RunClock({}, time),
    reporter: new RecordingReporter(),
    invoker: {
      invoke: (_, payload) => resultOf(doStep(JSON.parse(payload.toString()) as RotationEvent)),
      invokeAsync: () => ({ requestId: 'request' }),
      remove: async () => undefined,
    },
  });
  rotator.start();
  return rotator;
}

async function resultOf(step: Promise<void>): Promise<InvocationResult> {
  const answered = { logTail: '', requestId: 'request' };
  try {
    await step;
    return { kind: 'ok', payload: Buffer.from('null'), ...answered };
  } catch (error) {
    const { name, message } = error as Error;
    const payload = Buffer.from(JSON.stringify({ errorType: name, errorMessage: message }));
    return { kind: 'function-error', functionError: 'Unhandled', payload, ...answered };
  }
}
