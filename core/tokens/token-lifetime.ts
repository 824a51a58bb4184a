import { type IssuerProfile } from '../issuers/issuer-profile';
import { affordableMs, DUE_BELOW_SEC, DUE_JITTER_SEC, promiseOf } from './lifetimes';
import { type TokenKey, tokenKeyText } from './token-key';
import { sha256Hex } from '../secrets/sha256';
import { type StoredToken } from './stored-token';

export type TokenLife = Pick<StoredToken, 'issuedAtMs' | 'expiresAtMs' | 'sameUntilMs'>;

/**
 * A token with less time to expiry than this, in ms, is renewed: 20 min plus a jitter of 0–60 s that spreads renewals. Less for
 * a lifetime so short that renewals would use up the write budget; negative if the token must stay expired for a while.
 */
export function dueBelowMs(key: TokenKey, token: TokenLife): number {
  const jitter = parseInt(sha256Hex(tokenKeyText(key)).slice(0, 8), 16) / 0xffff_ffff;
  return Math.min(
    (DUE_BELOW_SEC + jitter * DUE_JITTER_SEC) * 1000,
    affordableMs(token.issuedAtMs, token.expiresAtMs),
  );
}

/** The earliest time at which a token can be due, with the longest jitter, in ms since the epoch. Not before its issuer gives out another token. */
export function dueFromMs({ issuedAtMs, expiresAtMs, sameUntilMs = 0 }: TokenLife): number {
  const maxBelowMs = (DUE_BELOW_SEC + DUE_JITTER_SEC) * 1000;
  return Math.max(sameUntilMs, expiresAtMs - Math.min(maxBelowMs, affordableMs(issuedAtMs, expiresAtMs)));
}

/** Whether a token is due for renewal. */
export function isDue(key: TokenKey, token: TokenLife, nowMs: number): boolean {
  // Saves the jitter's hash for most tokens of a sweep.
  if (nowMs <= dueFromMs(token)) return false;
  return token.expiresAtMs - nowMs < dueBelowMs(key, token);
}

/**
 * When a token counts as expired for the alarm on renewals, in ms since the epoch: at its expiry. By some profiles, a token can only
 * be renewed later than {@link DUE_BELOW_SEC} before its expiry. Such a token counts as expired {@link DUE_BELOW_SEC} after the
 * earliest renewal, so that only late renewals raise the alarm.
 */
export function slackEndMs(token: TokenLife, profile: Pick<IssuerProfile, 'answer'>): number {
  const isUsual = promiseOf(profile).dueBelowSec === DUE_BELOW_SEC;
  return isUsual ? token.expiresAtMs : Math.max(token.expiresAtMs, dueFromMs(token) + DUE_BELOW_SEC * 1000);
}
