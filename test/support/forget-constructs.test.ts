import { AsyncLocalStorage } from 'node:async_hooks';

import { App, Aws, Lazy, Stack } from 'aws-cdk-lib';

const { forgetConstructs } = (
  AsyncLocalStorage as unknown as Record<symbol, { forgetConstructs: () => void }>
)[Symbol.for('latchkey.outside')]!;

it('makes the CDK forget what a test file made, and keep what it has since it was loaded', () => {
  const stack = new Stack(new App(), 'stack');
  const made = Lazy.string({ produce: () => 'made' });
  expect(stack.resolve(made)).toBe('made');

  forgetConstructs();

  expect(() => stack.resolve(made) as unknown).toThrow('Unrecognized token key');
  expect(stack.resolve(Aws.ACCOUNT_ID)).toEqual({ Ref: 'AWS::AccountId' });
  expect(new Stack(new App(), 'next').resolve(Lazy.number({ produce: () => 1 }))).toBe(1);
});
