import { DUE_BELOW_SEC, DUE_JITTER_SEC } from '../../../contract/lifetimes';
import { type TokenKey, tokenKeyText } from '../../../contract/token-key';
import { sha256Hex } from '../../../contract/sha256';

/** The time to expiry, in ms, below which a token is renewed: 20 min plus a jitter of 0–60 s that spreads renewals. */
export function dueBelowMs(key: TokenKey): number {
  const spread = parseInt(sha256Hex(tokenKeyText(key)).slice(0, 8), 16) / 0xffff_ffff;
  return (DUE_BELOW_SEC + spread * DUE_JITTER_SEC) * 1000;
}

/** Whether a token is due for renewal. */
export function isDue(key: TokenKey, expiresAtMs: number, nowMs: number): boolean {
  const leftMs = expiresAtMs - nowMs;
  // A sweep asks this of every token, and the jitter matters for few of them.
  if (leftMs >= (DUE_BELOW_SEC + DUE_JITTER_SEC) * 1000) return false;
  return leftMs < dueBelowMs(key);
}
