import { Stack } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

/** The stack that is deployed with a construct: its own, or the one around its nested stacks. */
export function outermostStack(scope: IConstruct): Stack {
  let stack = Stack.of(scope);
  while (stack.nestedStackParent !== undefined) stack = stack.nestedStackParent;
  return stack;
}
