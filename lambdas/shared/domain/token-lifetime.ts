import { DUE_BELOW_SEC, DUE_JITTER_SEC } from '../../../contract/lifetimes';
import { type TokenKey } from '../../../contract/token-key';
import { sha256Hex } from './digest';

/**
 * A text that no two different token keys share: the fields cannot run into one another.
 * For maps inside one process; secrets have names of their own.
 */
export function tokenKeyText(key: TokenKey): string {
  return JSON.stringify([key.environment, key.platformRegion, key.tenantId, key.interface, key.scope]);
}

/** The life left, in ms, below which a token is renewed: 20 min and a jitter of 0–60 s that spreads the tokens. */
export function dueBelowMs(key: TokenKey): number {
  const spread = parseInt(sha256Hex(tokenKeyText(key)).slice(0, 8), 16) / 0xffff_ffff;
  return (DUE_BELOW_SEC + spread * DUE_JITTER_SEC) * 1000;
}

/** Whether a token that expires then is to be renewed now. */
export function isDue(key: TokenKey, expiresAtMs: number, nowMs: number): boolean {
  return expiresAtMs - nowMs < dueBelowMs(key);
}
