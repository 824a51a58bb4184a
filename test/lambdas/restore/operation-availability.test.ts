import { type Availability } from '../../../core/restore/restore-operation';
import { probeOperation } from '../../../lambdas/restore/probe-operation';
import { UpstreamTokenError } from '../../../core/tokens/upstream-token-error';
import {
  answerOf,
  lackingOperation,
  offeringRestore,
  RestoreFunction,
  restoringDeploymentOf,
  withoutRestore,
} from '../../support/lambdas/restore-functions';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';

const TOKEN = { accessToken: 'token-0' };
const HEX = /[0-9a-f]{16,}/g;

let world: RestoreFunction;
beforeEach(() => (world = new RestoreFunction()));

const find = () => world.ports.availability.find(TOKEN, world.clock.monotonicMs() + 26_500);
const shapesOf = (paths: readonly string[]) => paths.map((path) => path.replaceAll(HEX, 'HEX'));

describe('a probe', () => {
  it('asks for the operation and two that cannot exist, with invented contents', async () => {
    const probe = jest.spyOn(world.platform, 'probe');

    expect(await find()).toMatchObject({ availability: 'offered' });
    const inFiveSeconds = world.clock.monotonicMs() + 5_000;
    for (const [, ...how] of probe.mock.calls) expect(how).toEqual([TOKEN, inFiveSeconds]);
    expect(shapesOf(world.platform.probes)).toEqual([
      '/contents/HEX/restore',
      '/contents/HEX/restore-HEX',
      '/contents/HEX/restore-HEX',
    ]);
    expect(new Set(world.platform.probes.map((path) => path.match(HEX)![0])).size).toBe(3);
    expect(world.platform.requests).toEqual([]);
  });

  it('compares with publish only if the operation looks absent', async () => {
    world.platform.probed = withoutRestore;

    expect(await find()).toMatchObject({ availability: 'absent' });
    expect(shapesOf(world.platform.probes).at(-1)).toBe('/contents/HEX/publish');
  });

  it.each([
    ['/v2/contents/{contentId}:restore', '/v2/contents/HEX:restore-HEX'],
    ['/restore?content={contentId}&now=1', '/restore-HEX?content=HEX&now=1'],
    ['/contents/{contentId}?action=restore', '/contents/HEX?action=restore-HEX'],
    ['/restore/{contentId}', '/restore-HEX/HEX'],
    ['/{contentId}', '/-HEX/HEX'],
  ])('keeps the form of %s', async (path, unknown) => {
    world.deployment = restoringDeploymentOf([TENANT_ID], { path });

    await find();

    expect(shapesOf(world.platform.probes)[1]).toBe(unknown);
  });

  it('is sent only if 10 s are left', async () => {
    const { availability } = world.ports;
    const nowMs = world.clock.monotonicMs();

    expect(await availability.find(TOKEN, nowMs + 9_999)).toEqual({
      availability: 'undetermined',
      reason: 'no time was left to find out',
    });
    expect(world.platform.probes).toEqual([]);
    expect(await availability.find(TOKEN, nowMs + 10_000)).toMatchObject({ availability: 'offered' });
  });

  it.each<[Availability, RestoreFunction['platform']['probed'], number]>([
    ['offered', offeringRestore, 1],
    ['absent', withoutRestore, 10],
    ['undetermined', lackingOperation, 10],
  ])('that found "%s" is remembered', async (availability, probed, seconds) => {
    world.platform.probed = probed;
    const first = await find();
    const { length } = world.platform.probes;
    expect(first).toMatchObject({ availability });

    world.clock.advance(seconds * 1000 - 1);
    expect(await find()).toEqual(first);
    expect(world.platform.probes).toHaveLength(length);
    world.clock.advance(1);
    await find();
    expect(world.platform.probes).toHaveLength(2 * length);
  });

  it.each([200, 409, 415, 422])('is spared by a restore that was answered with %d', async (status) => {
    world.ports.availability.note(status);

    expect(await find()).toEqual({
      availability: 'offered',
      reason: `it answered a restore with ${status}`,
    });
    expect(world.platform.probes).toEqual([]);
  });

  it.each([201, 400, 403, 404, 500, 502])('is needed after a restore answered with %d', async (status) => {
    world.ports.availability.note(status);
    await find();

    expect(world.platform.probes).not.toEqual([]);
  });
});

describe('the metric RestoreAvailabilityMismatch', () => {
  it.each([
    [true, offeringRestore, 0],
    [true, withoutRestore, 1],
    [false, offeringRestore, 1],
    [false, withoutRestore, 0],
    [true, lackingOperation, undefined],
  ])('with restore.available %s is recorded once for each probe', async (available, probed, value) => {
    world.deployment = restoringDeploymentOf([TENANT_ID], { available });
    world.platform.probed = probed;

    await find();
    await find();

    expect(world.metrics.counts).toEqual(value === undefined ? {} : { RestoreAvailabilityMismatch: value });
  });

  it('is 0 as soon as a restore works again, and not with each of them', async () => {
    const count = jest.spyOn(world.metrics, 'count');
    world.platform.probed = withoutRestore;
    await find();

    await world.restore();
    await world.restore();

    expect(count.mock.calls.map(([, value]) => value)).toEqual([1, 0]);
    expect(await find()).toMatchObject({ availability: 'offered' });
  });
});

// The platform answers 404 to both; only one of them is the content's fault.
describe('a restore that the platform answers with 404', () => {
  it.each([
    ['of the content', offeringRestore, 'contentNotFound', 404, /^$/],
    ['of the operation', withoutRestore, 'restoreAbsent', 404, /^the platform: it answered 404, as/],
    ['of either', lackingOperation, 'contentOrOperationNotFound', 404, /^the platform: it answers 404/],
    ['of a gateway', gatewayWithoutRestore, 'restoreAbsent', 403, /^the platform: it answered 403, as/],
    ['of a platform that forbids everything', () => answerOf(403), 'forbidden', 403, /^$/],
  ] as const)('%s', async (_, probed, outcome, status, reason) => {
    world.platform.always = () => answerOf(status);
    world.platform.probed = probed;

    const result = await world.restore();

    expect(result).toMatchObject({ outcome, upstreamStatus: status });
    expect(result.reason ?? '').toMatch(reason);
    expect(world.platform.requests).toHaveLength(1);
  });
});

describe('a probe for credential-watch', () => {
  const probe = () => probeOperation(world.ports, world.clock.monotonicMs() + 26_500);

  it('uses the token of the first tenant that has one', async () => {
    world.deployment = restoringDeploymentOf(['tenant-1', 'tenant-2']);
    world.storedTokens.failures.push(new UpstreamTokenError('not_loaded', 'no credentials are loaded'));

    expect(await probe()).toMatchObject({ availability: 'offered' });
    expect(world.storedTokens.calls.map(({ tenant }) => tenant.tenantId)).toEqual(['tenant-1', 'tenant-2']);
    expect(world.tokens.calls).toEqual([]);
  });

  it('names the tenant whose stored token the platform refuses', async () => {
    world.storedTokens.get = async () => TOKEN;
    world.platform.probed = () => answerOf(401);

    expect(await probe()).toEqual({
      availability: 'refused',
      reason: `it answered 401 to the token content api/write of ${TENANT_ID}`,
    });
  });

  it('asks nothing without a token', async () => {
    const failure = new UpstreamTokenError('credential_refused', 'refused');
    world.deployment = restoringDeploymentOf(['a', 'b', 'c', 'd']);
    world.storedTokens.failures.push(failure, failure, failure, failure);

    expect(await probe()).toEqual({
      availability: 'undetermined',
      reason: 'it was not asked, because no token is available (credential_refused)',
    });
    expect(world.storedTokens.calls).toHaveLength(3);
    expect(world.platform.probes).toEqual([]);
  });

  it('fails on another error than of a token', async () => {
    world.storedTokens.get = () => Promise.reject(new TypeError('bug'));

    await expect(probe()).rejects.toThrow(TypeError);
  });

  it('asks nothing if no tenant has the token type', async () => {
    world.deployment = deploymentOf([TENANT_ID]);

    expect(await probe()).toMatchObject({ reason: expect.stringContaining('api/write') as string });
    expect(world.storedTokens.calls).toEqual([]);
  });
});

/** API Gateway's answer to a path without a route. */
function gatewayWithoutRestore(path: string) {
  return path.endsWith('/publish')
    ? offeringRestore(path)
    : answerOf(403, '{"message":"Missing Authentication Token"}');
}
