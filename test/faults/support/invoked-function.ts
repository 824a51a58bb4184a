import { type EnsureEvent } from '../../../contract/token-refresh';
import { type InvocationResult } from '../../../local/interfaces';
import { changeRole } from './aws-faults';
import { type WireWorld } from './wire-world';

const NAME = 'token-refresh';

/**
 * Puts the world's function into the local account, so that callers invoke it by the SDK.
 * @param reservedConcurrency invocations that may be under way at once; where there may be several, each meets a new process
 * @returns what a token source takes for `tokenRefresh`
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
      const { answer } = await world.invoke('ensure', undefined, event);
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
