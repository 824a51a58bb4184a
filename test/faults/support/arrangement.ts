import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenType } from '../../../core/deployment/platform';
import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type TokenKey } from '../../../core/tokens/public-keys';
import { deploymentOf } from '../../support/lambdas/token-functions';
import { type PlatformDouble } from './platform-double';
import { type Situation } from './world';

const MINUTE_MS = 60_000;

/** Remaining validity of the stored token, in ms: due below 20 min; not served to callers of ensure below 60 s. */
const LIFE_LEFT_MS = { none: undefined, old: 9 * MINUTE_MS, ending: 40_000 } as const;

/** The token key of a situation. */
export function keyOf({ tenantId, target }: Situation): TokenKey {
  const [of, scope] = target.split(' ');
  const pair = { interface: of, scope } as TokenType;
  return { environment: 'staging', platformRegion: 'mea', tenantId, ...pair };
}

/** A situation's deployment: with one token key and a platform at this origin. */
export function deploymentFor(situation: Situation, origin: string): DeploymentFile {
  const { prefix = DEFAULT_PREFIX } = situation;
  const key = keyOf(situation);
  const tokens = [{ interface: key.interface, scope: key.scope } as TokenType];
  const { platform } = deploymentOf([]);
  return deploymentOf([key.tenantId], {
    prefix,
    platform: {
      ...platform,
      contentTokenBaseUrl: `${origin}/content`,
      webhooksTokenBaseUrl: `${origin}/webhooks`,
    },
    tenants: [{ tenantId: key.tenantId, tokens, adopted: {} }],
  });
}

/** The versions of the token secret before the row begins: none, or a token and the one before it. */
export function earlierTokens(platform: PlatformDouble, key: TokenKey, { stored }: Situation, nowMs: number) {
  const lifeLeftMs = LIFE_LEFT_MS[stored];
  if (lifeLeftMs === undefined) return [];
  const endsMs = [lifeLeftMs - 40 * MINUTE_MS, lifeLeftMs].map((leftMs) => nowMs + leftMs);
  return endsMs.map((expiresAtMs, index) => {
    const issuedAtMs = expiresAtMs - 60 * MINUTE_MS;
    const { accessToken } = platform.issue(key.tenantId, key, issuedAtMs);
    return {
      versionId: `earlier-version-of-the-token-secret-${index}`,
      token: { accessToken, issuedAtMs, expiresAtMs, writesMs: [issuedAtMs] },
    };
  });
}
