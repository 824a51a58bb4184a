import { Stack } from 'aws-cdk-lib';

export function deployAfter(stack: Stack, other: Stack, reason: string): void {
  // Older versions of aws-cdk-lib only have the former name, and newer ones warn of it.
  const add = 'addStackDependency' in Stack.prototype ? 'addStackDependency' : 'addDependency';
  stack[add](other, reason);
}
