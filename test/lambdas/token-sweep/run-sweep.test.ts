import { SecretsManagerCredentialVersions } from '../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { runSweep } from '../../../lambdas/token-sweep/run-sweep';
import { addVersion, moveLabel } from 'cdk-on-loopback/testing';
import { clientOf } from '../../support/aws/simulated-secrets-manager';
import { deploymentOf, keyOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { credentialSecretOf, TokenFunctions, versionIdOf } from '../token-refresh/support/token-functions';

const HOUR_MS = 60 * MINUTE_MS;
const TENANT_IDS = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);

let functions: TokenFunctions;
let versions: SecretsManagerCredentialVersions;
beforeEach(() => {
  functions = new TokenFunctions();
  versions = new SecretsManagerCredentialVersions(clientOf((command) => functions.secrets.send(command)));
  // The next check of rotations is due.
  functions.clock.advance(6 * HOUR_MS - (functions.clock.nowMs() % (6 * HOUR_MS)));
  functions.loadAll(...TENANT_IDS);
});

function run() {
  // At this rate, the last of 20 turns comes in the last second in which a request may start.
  const deployment = { ...deploymentOf(TENANT_IDS), tokenRequestsPerSec: 19 / 233.5 };
  const endsAtMs = functions.clock.monotonicMs() + 4 * MINUTE_MS;
  return runSweep(Object.assign(functions, { versions }), deployment, endsAtMs);
}

/** Leaves a rotation of a tenant behind. @returns whether it still is */
function abandonRotation(): () => boolean {
  const { secrets, clock } = functions;
  const name = credentialSecretOf(keyOf('tenant-3'));
  const secret = secrets.secret(name);
  moveLabel(secret, 'AWSPENDING', addVersion(secret, versionIdOf('pending'), clock.nowMs() - 25 * HOUR_MS));
  secret.lastChangedAtMs = clock.nowMs() - 25 * HOUR_MS;
  return () => secrets.versionWith(name, 'AWSPENDING') !== undefined;
}

test('a sweep without time to spare ends abandoned rotations too', async () => {
  functions.issuer.latencyMs = 4_000;
  const isPending = abandonRotation();

  await expect(run()).resolves.toMatchObject({ refreshed: 20, failed: 0 });

  expect(isPending()).toBe(false);
});

test('a bug of the sweep fails the function, once abandoned rotations are ended', async () => {
  const isPending = abandonRotation();
  functions.tokens.read = () => Promise.reject(new TypeError('a bug'));

  await expect(run()).rejects.toThrow(TypeError);

  expect(isPending()).toBe(false);
});

test('a bug of the check of rotations fails the function, once tokens are renewed', async () => {
  versions.describe = () => Promise.reject(new TypeError('a bug'));

  await expect(run()).rejects.toThrow(TypeError);

  expect(functions.metrics.counts.TokenRenewed).toBe(20);
});
