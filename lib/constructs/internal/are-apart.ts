import { Stack, Token } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

/** Whether two constructs are known to be in different accounts or AWS regions. */
export function areApart(one: IConstruct, other: IConstruct): boolean {
  const [a, b] = [Stack.of(one), Stack.of(other)];
  const differ = (x: string, y: string) => !Token.isUnresolved(x) && !Token.isUnresolved(y) && x !== y;
  return differ(a.account, b.account) || differ(a.region, b.region);
}
