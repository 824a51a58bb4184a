import { type IssuerProfile } from '../issuers/issuer-profile';
import { affordableMs, DUE_BELOW_SEC, DUE_JITTER_SEC, promiseOf } from './lifetimes';
import { type TokenKey, tokenKeyText } from './token-key';
import { sha256Hex } from '../secrets/sha256';
import { type StoredToken } from './stored-token';

export type TokenLife = Pick<StoredToken, 'issuedAtMs' | 'expiresAtMs' | 'sameUntilMs'>;

/**
 * The time to expiry, in ms, below which a token is renewed: 20 min plus a jitter of 0–60 s that spreads renewals. Less if it
 * lives so short that its renewals would use up the write budget: negative if it must stay expired for a while.
 */
export function dueBelowMs(key: TokenKey, token: TokenLife): number {
  const spread = parseInt(sha256Hex(tokenKeyText(key)).slice(0, 8), 16) / 0xffff_ffff;
  return Math.min(
    (DUE_BELOW_SEC + spread * DUE_JITTER_SEC) * 1000,
    affordableMs(token.issuedAtMs, token.expiresAtMs),
  );
}

/** When a token may be due at the earliest, whatever its key, in ms since the epoch. Not while its issuer has no other. */
export function dueFromMs({ issuedAtMs, expiresAtMs, sameUntilMs = 0 }: TokenLife): number {
  const latestMs = (DUE_BELOW_SEC + DUE_JITTER_SEC) * 1000;
  return Math.max(sameUntilMs, expiresAtMs - Math.min(latestMs, affordableMs(issuedAtMs, expiresAtMs)));
}

/** Whether a token is due for renewal. */
export function isDue(key: TokenKey, token: TokenLife, nowMs: number): boolean {
  // A sweep asks this of every token, and the jitter matters for few of them.
  if (nowMs <= dueFromMs(token)) return false;
  return token.expiresAtMs - nowMs < dueBelowMs(key, token);
}

/**
 * When a token counts as expired for an alarm on renewals, in ms since the epoch: at its expiry. Where the profile states that it
 * cannot be renewed {@link DUE_BELOW_SEC} before, as long after it can be, so that only a late renewal counts.
 */
export function slackEndMs(token: TokenLife, profile: Pick<IssuerProfile, 'answer'>): number {
  const isUsual = promiseOf(profile).dueBelowSec === DUE_BELOW_SEC;
  return isUsual ? token.expiresAtMs : Math.max(token.expiresAtMs, dueFromMs(token) + DUE_BELOW_SEC * 1000);
}
