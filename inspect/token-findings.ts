import {
  type CredentialSnapshot,
  type TokenSnapshot,
  type TokenState,
} from '../contract/deployment-snapshot';
import { GUARANTEED_LIFE_SEC, SWEEP_INTERVAL_SEC } from '../contract/lifetimes';
import { tokenTypeOf } from '../contract/token-key';
import { type EnsureErrorCode } from '../contract/token-refresh';
import { accessFinding } from './access-findings';
import { describeCredential, timeToExpiryMs, tokenName } from './describe';
import { type Fix, type Found, type RuleContext } from './finding';
import { spanText } from './times';
import { currentForMs, versionWith } from './versions';

/** Below this validity, callers that cache the token are about to fail. */
const CRITICAL_LIFE_MS = 5 * 60_000;
/** How long the sweeps get to fetch tokens after a credential is loaded or replaced. */
const TWO_SWEEPS_MS = 2 * SWEEP_INTERVAL_SEC * 1000;
const REFUSALS: readonly EnsureErrorCode[] = ['credential_refused', 'scope_refused'];

/**
 * The findings about a tenant's tokens: at most one per token, the most severe. None if the credential was never loaded.
 * A refused credential is one finding that replaces those of its tokens.
 * @param credential the tenant's client credential, if the snapshot has it
 */
export function tokenFindings(
  tokens: readonly TokenSnapshot[],
  credential: CredentialSnapshot | undefined,
  context: RuleContext,
): Found[] {
  if (credential !== undefined && describeCredential(credential) === 'not loaded') return [];
  const refused = tokens.filter(isRefused);
  const found = tokens.flatMap((token) => {
    const finding = isRefused(token) ? undefined : tokenFinding(token, credential, context);
    return finding === undefined ? [] : [{ ...finding, token: tokenTypeOf(token) }];
  });
  return refused.length === 0 ? found : [credentialRefused(refused, context), ...found];
}

function tokenFinding(
  token: TokenSnapshot,
  credential: CredentialSnapshot | undefined,
  context: RuleContext,
): Found | undefined {
  if (token.access !== 'ok') return accessFinding(token, `token ${tokenName(token)}`, context);
  const leftMs = timeToExpiryMs(token, context.nowMs);
  if (leftMs === undefined) return missing(token, credential, context);
  if (leftMs <= 0) {
    const message = `The token ${tokenName(token)} expired at ${token.token?.expiresAt}`;
    return {
      kind: 'token_expired',
      severity: 'critical',
      message: message + reasonOf(token),
      meaning: 'The platform refuses callers that use it.',
      repair: refresh(token, context),
    };
  }
  if (leftMs < GUARANTEED_LIFE_SEC * 1000) {
    const message = `The token ${tokenName(token)} expires in ${spanText(leftMs)}`;
    return {
      kind: 'token_low',
      severity: leftMs < CRITICAL_LIFE_MS ? 'critical' : 'warning',
      message: message + reasonOf(token),
      meaning: 'Callers fail when it expires. It should have been renewed by now.',
      repair: refresh(token, context),
    };
  }
  return ofRetiredCredential(token, credential, context);
}

/** A token counts as missing only once its credential has been current for two sweeps. */
function missing(
  token: TokenSnapshot & TokenState,
  credential: CredentialSnapshot | undefined,
  context: RuleContext,
): Found | undefined {
  if (credential === undefined || sincePromotionMs(credential, context.nowMs) <= TWO_SWEEPS_MS) {
    return undefined;
  }
  return {
    kind: 'token_missing',
    severity: 'critical',
    message: `The token ${tokenName(token)} is missing, although the credential is loaded${reasonOf(token)}`,
    meaning: 'Callers have nothing to authenticate with.',
    repair: refresh(token, context),
  };
}

function ofRetiredCredential(
  token: TokenSnapshot & TokenState,
  credential: CredentialSnapshot | undefined,
  { nowMs, commands }: RuleContext,
): Found | undefined {
  if (credential?.access !== 'ok' || sincePromotionMs(credential, nowMs) <= TWO_SWEEPS_MS) return undefined;
  const current = versionWith(credential.versions, 'AWSCURRENT');
  if (current === undefined || token.token?.credentialVersionId === current.versionId) return undefined;
  return {
    kind: 'token_of_retired_credential',
    severity: 'warning',
    message: `The token ${tokenName(token)} was issued to a client credential that is no longer current.`,
    meaning: 'Callers fail once the platform revokes the old credential.',
    repair: { command: commands.fix(), fix: { action: 'sweep' } },
  };
}

function credentialRefused(refused: readonly TokenSnapshot[], { commands }: RuleContext): Found {
  const codes = refused.map((token) => `${tokenName(token)} (${renewalErrorOf(token)?.code})`);
  return {
    kind: 'credential_refused',
    severity: 'critical',
    credential: 'client-credentials',
    message: `The platform refuses the client credential for ${codes.join(', ')}.`,
    meaning: 'These tokens are not renewed: callers fail when they expire.',
    repair: { command: commands.load('client-credentials') },
  };
}

function isRefused(token: TokenSnapshot): boolean {
  const error = renewalErrorOf(token);
  return error !== undefined && REFUSALS.includes(error.code);
}

function renewalErrorOf(token: TokenSnapshot): TokenState['renewalError'] {
  return token.access === 'ok' ? token.renewalError : undefined;
}

/** The end of a sentence: why the token was not renewed, if known. */
function reasonOf({ renewalError }: TokenState): string {
  return renewalError === undefined ? '.' : `: ${renewalError.code}, ${renewalError.message}.`;
}

/** How long the credential has been current, in ms; infinite if unknown. */
function sincePromotionMs(credential: CredentialSnapshot, nowMs: number): number {
  return credential.access === 'ok' ? (currentForMs(credential, nowMs) ?? Infinity) : 0;
}

function refresh(token: TokenSnapshot, { commands }: RuleContext): { command: string; fix: Fix } {
  const tokenType = tokenTypeOf(token);
  return { command: commands.refreshToken(tokenType), fix: { action: 'refresh_token', token: tokenType } };
}
