import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { PlatformUnavailableError } from '../../../core/tokens/token-errors';
import { sweep } from '../../../lambdas/token-refresh/sweep';
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
const [A, B] = TENANT_IDS.map(keyOf) as [ReturnType<typeof keyOf>, ReturnType<typeof keyOf>];
const SWEEP_MS = 5 * MINUTE_MS;

let functions: TokenFunctions;
let deployment: DeploymentFile;
beforeEach(() => {
  functions = new TokenFunctions();
  deployment = deploymentOf(TENANT_IDS, { tokenRequestsPerSec: 1_000, trailEvents: true });
  functions.load('tenant-a');
  functions.load('tenant-b');
});

const endsAtMs = () => functions.clock.monotonicMs() + 4 * MINUTE_MS;
const run = () => sweep(functions, deployment, endsAtMs());
const hear = (...secretIds: string[]) =>
  sweepChanged(
    Object.assign(functions, { deployment }),
    { Records: secretIds.map((secretId) => trailMessage(secretId)) },
    endsAtMs(),
  );

/** Sweeps every five minutes until a token is of a credential. @returns how many minutes that took; at most two hours */
async function minutesUntil(credential: string, key = A): Promise<number> {
  for (let minutes = 5; minutes <= 120; minutes += 5) {
    functions.clock.advance(SWEEP_MS);
    await run();
    if (functions.current(key)?.credentialVersionId === versionIdOf(credential)) return minutes;
  }
  return Infinity;
}

describe('where events tell of changes', () => {
  test('sweeps make no call while tokens are fresh', async () => {
    await run();
    const before = functions.secrets.commands.length;

    for (let sweeps = 0; sweeps < 7; sweeps += 1) {
      functions.clock.advance(SWEEP_MS);
      await expect(run()).resolves.toMatchObject({ ok: true, failed: 0 });
    }

    expect(functions.secrets.commands.length).toBe(before);
  });

  test('a replaced credential renews the tokens of its tenant when its event comes', async () => {
    await run();
    functions.load('tenant-a', 'credential-2');

    await expect(hear(credentialSecretOf(A))).resolves.toMatchObject({ tokens: 1, refreshed: 1 });

    expect(functions.current(A)?.credentialVersionId).toBe(versionIdOf('credential-2'));
    expect(functions.issuer.requests.map(({ tenantId }) => tenantId)).toEqual([
      'tenant-a',
      'tenant-b',
      'tenant-a',
    ]);
  });

  test('a replaced credential whose event is lost is noticed with the next renewal', async () => {
    await run();
    functions.load('tenant-a', 'credential-2');

    await expect(minutesUntil('credential-2')).resolves.toBeLessThanOrEqual(45);
  });

  test('a first credential is noticed within five minutes, even if its event is lost', async () => {
    functions.unload('tenant-a');
    await run();
    functions.load('tenant-a', 'credential-2');

    await expect(minutesUntil('credential-2')).resolves.toBe(5);
  });

  test('a token that another process renewed by an event costs no second token request', async () => {
    await run();
    functions.load('tenant-a', 'credential-2');
    functions.store({ credentialVersionId: versionIdOf('credential-2'), lifeLeftMs: 90 * MINUTE_MS }, A);
    const requests = () => functions.issuer.requests.filter(({ tenantId }) => tenantId === 'tenant-a').length;
    expect(requests()).toBe(1);

    await minutesUntil('credential-2');

    expect(requests()).toBe(1);
  });

  test('a token that others changed is read again', async () => {
    await run();
    functions.store({ lifeLeftMs: 10 * MINUTE_MS }, A);

    await expect(hear(tokenSecretOf(A))).resolves.toMatchObject({ tokens: 1, refreshed: 1 });
  });

  test('a run for some tenants says nothing about the schedule', async () => {
    await hear(credentialSecretOf(B));

    expect(functions.metrics.counts.TokenRenewed).toBe(1);
    expect(functions.metrics.takeMeasured()).not.toHaveProperty('SweepDuration');
  });

  test('a run that renewed too little fails, so that the queue repeats it', async () => {
    functions.issuer.always = () => new PlatformUnavailableError('down');

    await expect(hear(credentialSecretOf(A))).rejects.toThrow('1 of 1 tokens were not renewed');
  });
});

test('without events, a replaced credential is noticed within five minutes', async () => {
  delete deployment.trailEvents;
  await run();
  functions.load('tenant-a', 'credential-2');

  await expect(minutesUntil('credential-2')).resolves.toBe(5);
});
