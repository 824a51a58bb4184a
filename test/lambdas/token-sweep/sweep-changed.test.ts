import { PlatformUnavailableError } from '../../../core/tokens/token-errors';
import { sweepChanged } from '../../../lambdas/token-sweep/sweep-changed';
import { deploymentOf, keyOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { trailMessage } from '../../support/lambdas/trail-message';
import {
  credentialSecretOf,
  TokenFunctions,
  tokenSecretOf,
  versionIdOf,
} from '../token-refresh/support/token-functions';

const TENANT_IDS = ['tenant-a', 'tenant-b'];
const A = keyOf('tenant-a');

let functions: TokenFunctions;
beforeEach(() => {
  functions = new TokenFunctions();
  functions.loadAll(...TENANT_IDS);
});

const run = (trailEvents?: true) => functions.sweep(TENANT_IDS, { trailEvents });
const hear = (secretId: string) =>
  sweepChanged(
    Object.assign(functions, { deployment: deploymentOf(TENANT_IDS, { trailEvents: true }) }),
    { Records: [trailMessage(secretId)] },
    functions.clock.monotonicMs() + 4 * MINUTE_MS,
  );

/** Replaces a credential without an event. @returns how many minutes later a sweep has noticed; at most two hours */
async function minutesUntilNoticed(trailEvents?: true): Promise<number> {
  functions.load('tenant-a', 'credential-2');
  for (let minutes = 5; minutes <= 120; minutes += 5) {
    functions.clock.advance(5 * MINUTE_MS);
    await run(trailEvents);
    if (functions.current(A)?.credentialVersionId === versionIdOf('credential-2')) return minutes;
  }
  return Infinity;
}

describe('where events tell of changes', () => {
  test('sweeps make no call while tokens are fresh', async () => {
    await run(true);
    const before = functions.secrets.commands.length;

    for (let sweeps = 0; sweeps < 7; sweeps += 1) {
      functions.clock.advance(5 * MINUTE_MS);
      await expect(run(true)).resolves.toMatchObject({ ok: true, failed: 0 });
    }

    expect(functions.secrets.commands.length).toBe(before);
  });

  test('a replaced credential renews the tokens of its tenant when its event comes', async () => {
    await run(true);
    functions.load('tenant-a', 'credential-2');

    await expect(hear(credentialSecretOf(A))).resolves.toMatchObject({ tokens: 1, refreshed: 1 });

    expect(functions.current(A)?.credentialVersionId).toBe(versionIdOf('credential-2'));
    const requested = functions.issuer.requests.map(({ tenantId }) => tenantId);
    expect(requested).toEqual([...TENANT_IDS, 'tenant-a']);
  });

  test('a replaced credential whose event is lost is noticed with the next renewal', async () => {
    await run(true);

    await expect(minutesUntilNoticed(true)).resolves.toBeLessThanOrEqual(45);
  });

  test('a first credential is noticed within five minutes, even if its event is lost', async () => {
    functions.unload('tenant-a');
    await run(true);

    await expect(minutesUntilNoticed(true)).resolves.toBe(5);
  });

  test('a token that others changed is read again', async () => {
    await run(true);
    functions.store({ lifeLeftMs: 10 * MINUTE_MS }, A);

    await expect(hear(tokenSecretOf(A))).resolves.toMatchObject({ tokens: 1, refreshed: 1 });
  });

  test('a run for some tenants says nothing about the schedule', async () => {
    await hear(credentialSecretOf(A));

    expect(functions.metrics.counts.TokenRenewed).toBe(1);
    expect(functions.metrics.takeMeasured()).not.toHaveProperty('SweepDuration');
  });

  test('a run that renewed too little fails, so that the queue repeats it', async () => {
    functions.issuer.always = () => new PlatformUnavailableError('down');

    await expect(hear(credentialSecretOf(A))).rejects.toThrow('1 of 1 tokens were not renewed');
  });
});

test('without events, a replaced credential is noticed within five minutes', async () => {
  await run();

  await expect(minutesUntilNoticed()).resolves.toBe(5);
});
