import { isDue } from '../../../core/tokens/token-lifetime';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { refreshToken, type RefreshTokenPorts } from '../../../lambdas/token-refresh/refresh-token';
import { KillPoints } from '../../support/kill-points';
import { KEY, MINUTE_MS } from '../../support/lambdas/token-functions';
import { tokenSecretOf, TokenFunctions } from './support/token-functions';

/** Before and after each call: the stored token, the credential, the platform's answer, the write. */
const POINTS = 8;

const renewal = (functions: TokenFunctions, ports: RefreshTokenPorts) =>
  refreshToken(ports, KEY, { minValidityMs: MINUTE_MS, deadlineMs: functions.clock.monotonicMs() + 10_000 });

function renewing(points: KillPoints) {
  const functions = new TokenFunctions();
  functions.store({ lifeLeftMs: 40_000 });
  const ports = {
    ...functions,
    tokens: points.watch(functions.tokens, 'read', 'compareAndSet', 'readNext'),
    credentials: points.watch(functions.credentials, 'read', 'former', 'currentVersionId'),
    issuer: points.watch(functions.issuer, 'requestToken'),
  };
  return { functions, ended: Promise.race([points.killed, renewal(functions, ports)]) };
}

test.each(Array.from({ length: POINTS }, (_, index) => index + 1))(
  'killed at call point %i of a renewal, the next process stores one fresh token, or finds it',
  async (point) => {
    const { functions, ended } = renewing(new KillPoints(point));
    expect(await ended).toBe(true);

    await renewal(functions, { ...functions, memory: new RefreshMemory() });

    expect(functions.secrets.secret(tokenSecretOf(KEY)).versions.size).toBe(2);
    expect(isDue(KEY, functions.current()!, functions.clock.nowMs())).toBe(false);
  },
);

test('a renewal has no other call', async () => {
  const points = new KillPoints();

  await renewing(points).ended;

  expect(points.passed).toBe(POINTS);
});
