import {
  type CredentialSnapshot,
  type TokenSnapshot,
  type TokenState,
} from '../deployment/deployment-snapshot';
import {
  GUARANTEED_LIFE_SEC,
  isShortLived,
  MIN_GUARANTEED_LIFETIME_SEC,
  SWEEP_INTERVAL_SEC,
} from '../tokens/lifetimes';
import { tokenName, tokenTypeOf } from '../tokens/token-key';
import { slackEndMs } from '../tokens/token-lifetime';
import { accessFinding } from './access-findings';
import { describeCredential, timeToExpiryMs } from './describe';
import { type FindingDetails, type Repair, type RuleContext } from './finding';
import { lifeOf, nextSweepRenews, refusalFinding } from './renewal-findings';
import { spanText, timeMs } from './times';
import { currentForMs, versionWith } from './versions';

/** Below this validity, callers that cache the token are about to fail. */
const CRITICAL_LIFE_MS = 5 * 60_000;
/** No sweep renews a token that is younger, however short its life. */
const EARLY_MS = 10 * 60_000;
/** How long the sweeps get to fetch tokens after a credential is loaded or replaced. */
const TWO_SWEEPS_MS = 2 * SWEEP_INTERVAL_SEC * 1000;

/**
 * The findings about a tenant's tokens: at most one per token, the most severe, and one if the issuer refuses the
 * credential. None if the credential was never loaded.
 * @param credential the tenant's client credential, if the snapshot has it
 * @param isRefusedByAlarm whether the tenant's alarm `credential-refused` is in alarm
 */
export function tokenFindings(
  tokens: readonly TokenSnapshot[],
  credential: CredentialSnapshot | undefined,
  isRefusedByAlarm: boolean,
  context: RuleContext,
): FindingDetails[] {
  if (credential !== undefined && describeCredential(credential) === 'not loaded') return [];
  const found = tokens.flatMap((token) => {
    const finding = tokenFinding(token, credential, context);
    return finding === undefined ? [] : [{ ...finding, token: tokenTypeOf(token) }];
  });
  // Otherwise the alarm may be about the previous credential, or about tokens that are renewed again.
  const isAlarmCurrent =
    credential !== undefined &&
    sincePromotionMs(credential, context.nowMs) > TWO_SWEEPS_MS &&
    (found.length > 0 || tokens.some((token) => nextSweepRenews(token, context.nowMs)));
  const refusal = refusalFinding(tokens, credential, isRefusedByAlarm && isAlarmCurrent, context);
  return refusal === undefined ? found : [refusal, ...found];
}

function tokenFinding(
  token: TokenSnapshot,
  credential: CredentialSnapshot | undefined,
  context: RuleContext,
): FindingDetails | undefined {
  if (token.access !== 'ok') return accessFinding(token, `token ${tokenName(token)}`, context);
  const leftMs = timeToExpiryMs(token, context.nowMs);
  if (leftMs === undefined) return missing(token, credential, context);
  if (leftMs <= 0) {
    const message = `The token ${tokenName(token)} expired at ${token.token?.expiresAt}`;
    return {
      kind: 'token_expired',
      severity: 'critical',
      message: message + reasonOf(token),
      meaning: 'Callers that use it get 401.',
      repair: refresh(token, context),
    };
  }
  if (slackMs(token, context) < GUARANTEED_LIFE_SEC * 1000) {
    const life = isIssuedShort(token, context) ? ': the issuer issues it for too short a time' : '';
    const message = `The token ${tokenName(token)} expires in ${spanText(leftMs)}${life}`;
    return {
      kind: 'token_low',
      severity: leftMs < CRITICAL_LIFE_MS ? 'critical' : 'warning',
      message: message + reasonOf(token),
      meaning: 'Callers fail when it expires. It should have been renewed by now.',
      repair: isIssuedShort(token, context) ? SHORT_LIVED : refresh(token, context),
    };
  }
  // First what `doctor --fix` can fix: early refusals stay listed for a day.
  if (isRefusedEarly(token)) return ofRetiredCredential(token, credential, context) ?? refusedEarly(token);
  return isIssuedShort(token, context)
    ? {
        kind: 'token_low',
        severity: 'warning',
        message: `The issuer issues the token ${tokenName(token)} for less than ${MIN_GUARANTEED_LIFETIME_SEC / 60} minutes.`,
        meaning: `Callers may get it with less than ${GUARANTEED_LIFE_SEC / 60} minutes left, and one missed sweep may let it expire.`,
        repair: SHORT_LIVED,
      }
    : ofRetiredCredential(token, credential, context);
}

const SHORT_LIVED: Repair = {
  remedy:
    'Ask the issuer’s support why its tokens expire so soon. Renewals cannot keep them valid for ' +
    `${GUARANTEED_LIFE_SEC / 60} minutes`,
};

/** Whether renewals cannot keep the promise to readers, because the write budget does not last for them. */
function isIssuedShort({ token }: TokenState, { profile }: RuleContext): boolean {
  const life = lifeOf(token);
  return life !== undefined && isShortLived(life, profile);
}

/** Time until {@link slackEndMs}, in ms: for most tokens, until the expiry. */
function slackMs({ token }: TokenState, { nowMs, profile }: RuleContext): number {
  const life = lifeOf(token);
  return life === undefined ? Infinity : slackEndMs(life, profile) - nowMs;
}

/**
 * Whether two tokens in a row were refused within minutes of their issue. Tokens live equally long, so two expire
 * as far apart as they were issued.
 */
function isRefusedEarly({ token }: TokenState): boolean {
  const expiriesMs = [token?.expiresAt, ...(token?.refusedExpiresAt ?? [])].map(
    (text) => timeMs(text) ?? NaN,
  );
  const isFollowedEarly = (index: number) => {
    const apartMs = expiriesMs[index - 1]! - expiriesMs[index]!;
    return apartMs >= 0 && apartMs < EARLY_MS;
  };
  return expiriesMs.some((_, index) => isFollowedEarly(index) && isFollowedEarly(index + 1));
}

function refusedEarly(token: TokenSnapshot): FindingDetails {
  return {
    kind: 'token_refused_early',
    severity: 'warning',
    message: `In the last day, two tokens ${tokenName(token)} in a row were refused within ${spanText(EARLY_MS)} of their issue.`,
    meaning:
      'Callers get 401. If the issuer keeps one token at a time, another deployment or tool that uses the same ' +
      'client credential ends each token of this one.',
    repair: {
      remedy:
        'Find what else uses the client credential with docs/runbook/alarms.md#too-many-token-requests, and give it a credential of its own',
    },
  };
}

/** A token counts as missing only once its credential has been current for two sweeps. */
function missing(
  token: TokenSnapshot & TokenState,
  credential: CredentialSnapshot | undefined,
  context: RuleContext,
): FindingDetails | undefined {
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
): FindingDetails | undefined {
  if (credential?.access !== 'ok' || sincePromotionMs(credential, nowMs) <= TWO_SWEEPS_MS) return undefined;
  const current = versionWith(credential.versions, 'AWSCURRENT');
  if (current === undefined || token.token?.credentialVersionId === current.versionId) return undefined;
  return {
    kind: 'token_of_retired_credential',
    severity: 'warning',
    message: `The token ${tokenName(token)} was issued to a client credential that is no longer current.`,
    meaning: 'Callers fail once the issuer revokes the old credential.',
    repair: { command: commands.fix(), fix: { action: 'sweep' } },
  };
}

/** The end of a sentence: why the token was not renewed, if known. */
function reasonOf({ renewalError }: TokenState): string {
  return renewalError === undefined ? '.' : `: ${renewalError.code}, ${renewalError.message}.`;
}

/** How long the credential has been current, in ms; infinite if unknown. */
function sincePromotionMs(credential: CredentialSnapshot, nowMs: number): number {
  return credential.access === 'ok' ? (currentForMs(credential, nowMs) ?? Infinity) : 0;
}

/** `doctor` has token-refresh renew the token, or says why that fails. */
function refresh(token: TokenSnapshot, { commands }: RuleContext): Repair {
  return { command: commands.doctor(), fix: { action: 'refresh_token', token: tokenTypeOf(token) } };
}
