import { type EnsureEvent } from '../../../core/tokens/token-refresh';
import { type InvocationResult } from 'cdk-on-loopback/testing';
import { changeRole } from './aws-faults';
import { type WireWorld } from './wire-world';

const NAME = 'token-refresh';
/** As deployed, so that busy machines have time to load a process for each invocation. */
const REMAINING_MS = 29_000;

/**
 * Adds the world's function to the local account, so that callers invoke it by the SDK.
 * @param reservedConcurrency maximum parallel invocations; if more than 1, each gets a new process
 * @returns the function's ARN, for `tokenRefresh` of a token source
 */
export function deployFunction(world: WireWorld, reservedConcurrency = Infinity): string {
  const { aws } = world;
  const { arn } = aws.addFunction(NAME);
  changeRole(aws, { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: arn });
  let underWay = 0;
  aws.invoker.invoke = async (_, payload): Promise<InvocationResult> => {
    if (underWay >= reservedConcurrency) {
      return { kind: 'throttled', reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' };
    }
    underWay += 1;
    try {
      if (reservedConcurrency !== 1) world.startNewProcess();
      const event = JSON.parse(payload.toString()) as EnsureEvent;
      const { answer } = await world.invoke('ensure', REMAINING_MS, event);
      return {
        kind: 'ok',
        payload: Buffer.from(JSON.stringify(answer)),
        logTail: '',
        requestId: 'request-1',
      };
    } finally {
      underWay -= 1;
    }
  };
  return arn;
}
