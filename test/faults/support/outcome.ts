import { type EnsureErrorCode, type SweepAnswer } from '../../../core/tokens/token-refresh';
import { type WireWorld } from './wire-world';
import { type Invocation } from './world';

type Action = WireWorld['situation']['action'];

/**
 * Asserts that an invocation renewed nothing for this reason. A sweep reports the reason, and a caller of
 * ensure gets it unless the stored token is still usable. The log has it, and nothing was written.
 */
export function expectNotRenewed(
  world: WireWorld,
  { answer }: Invocation,
  code: EnsureErrorCode,
  action: Action = world.situation.action,
): void {
  if (action === 'sweep') {
    expect(sweptOutcome(answer as SweepAnswer)).toBe(code);
  } else if (world.situation.stored === 'old') {
    const { versionId } = world.before.at(-1)!;
    expect(answer).toMatchObject({ ok: true, refreshed: false, versionId });
  } else {
    expect(answer).toMatchObject({ ok: false, error: { code } });
  }
  expect(world.log().map((line) => line.code)).toContain(code);
  expect(labels(world.versions())).toEqual(labels(world.before));
}

/** Asserts that an invocation renewed the token with one write. */
export function expectRenewed(
  world: WireWorld,
  { answer }: Invocation,
  action: Action = world.situation.action,
): void {
  if (action === 'sweep') expect(sweptOutcome(answer as SweepAnswer)).toBe('refreshed');
  else expect(answer).toMatchObject({ ok: true, refreshed: true });
  expect(world.versions()).toHaveLength(world.before.length + 1);
}

function sweptOutcome({ tenants }: SweepAnswer) {
  return tenants[0]!.tokens[0]!.outcome;
}

function labels(versions: WireWorld['before']) {
  return versions.map(({ versionId, stages }) => `${versionId} ${stages.join(' ')}`);
}
