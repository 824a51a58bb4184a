import { type TokenFault } from '../../../core/alarms/metrics';
import { type WireWorld } from './wire-world';
import { type EnsureErrorCode } from '../../../core/tokens/token-refresh';
import { expectNotRenewed } from './outcome';
import { type Invocation } from './world';

/**
 * Asserts that a renewal failed with this fault, counted by one metric.
 * @param found.isRead set if the token secret itself could not be read, so that no stored token can be
 *   served
 */
export function expectFailed(
  world: WireWorld,
  invocation: Invocation,
  code: EnsureErrorCode,
  found: { fault: TokenFault; isRead?: boolean },
): void {
  if (found.isRead === true && world.situation.action === 'ensure') {
    expect(invocation.answer).toMatchObject({ ok: false, error: { code } });
    expect(world.log().filter((line) => line.code === code)).toHaveLength(1);
  } else {
    expectNotRenewed(world, invocation, code);
  }
  expect(faultsOf(world)).toEqual({ [found.fault]: 1 });
}

/** The count of each fault. */
export function faultsOf(world: WireWorld): Record<string, number> {
  const sums = Object.entries(world.metrics()).filter(([name]) => name.startsWith('TokenFault '));
  return Object.fromEntries(sums.map(([name, sum]) => [name.slice('TokenFault '.length), sum]));
}
