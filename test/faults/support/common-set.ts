import { parseTokenValue } from '../../../core/tokens/token-value';
import { type WireWorld } from './wire-world';
import { findCanaries } from '../../support/canaries';
import { type Version } from './world';

/**
 * Asserts common set A of the fault matrix, which holds after every row:
 * Exactly one version is current. It can be read, and holds a token that the platform issued for that key
 * and that was valid when written. The previous version can still be read. No secret is visible, and the
 * metrics name the fault.
 * @param faults expected counts, for rows that do not check them on their own
 */
export function assertCommonSet(world: WireWorld, faults = faultsOf(world)): void {
  const versions = world.versions();
  const current = versions.filter(({ stages }) => stages.includes('AWSCURRENT'));
  expect(current).toHaveLength(versions.length > 0 ? 1 : 0);
  for (const version of current) assertIssued(world, version);
  assertPreviousReadable(world, versions);
  expect(faultsOf(world)).toEqual(faults);
  expect(findCanaries(world.platform.canaries, world.visible())).toEqual([]);
}

/** The count of each fault. */
function faultsOf(world: WireWorld): Record<string, number> {
  const sums = Object.entries(world.metrics()).filter(([name]) => name.startsWith('TokenFault '));
  return Object.fromEntries(sums.map(([name, sum]) => [name.slice('TokenFault '.length), sum]));
}

function assertIssued(
  { platform, key, before }: WireWorld,
  { versionId, secretString, writtenAtMs }: Version,
): void {
  const value = parseTokenValue(secretString, key);
  const record = platform.issued.find(({ accessToken }) => accessToken === value?.accessToken);
  expect(record).toMatchObject({ tenantId: key.tenantId, interface: key.interface, scope: key.scope });
  if (before.some((earlier) => earlier.versionId === versionId)) return;
  expect(record!.expiresAtMs).toBeGreaterThan(writtenAtMs);
  expect(Date.parse(value!.expiresAt)).toBeGreaterThan(writtenAtMs);
}

function assertPreviousReadable({ before, key }: WireWorld, versions: readonly Version[]): void {
  const currentBefore = before.find(({ stages }) => stages.includes('AWSCURRENT'));
  if (currentBefore === undefined) return;
  const previous = versions.filter(({ stages }) => stages.includes('AWSPREVIOUS'));
  expect(previous.map(({ secretString }) => parseTokenValue(secretString, key))).toEqual([expect.anything()]);
  // After several writes, the previous version is the one before the last.
  if (versions.length > before.length + 1) return;
  const kept = versions.find(({ versionId }) => versionId === currentBefore.versionId);
  expect(kept?.stages).toHaveLength(1);
}
