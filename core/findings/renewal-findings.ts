import {
  type CredentialSnapshot,
  type TenantSnapshot,
  type TokenSnapshot,
  type TokenState,
} from '../deployment/deployment-snapshot';
import { holderOf, isFormerUnrevoked, type Labels } from '../secrets/former-version';
import { affordableMs, DUE_BELOW_SEC } from '../tokens/lifetimes';
import { type TokenLife } from '../tokens/token-lifetime';
import { type EnsureErrorCode, type EnsureFailure } from '../tokens/token-refresh';
import { describeCredential, shortList } from './describe';
import { type FindingDetails, type Repair, type RuleContext } from './finding';
import { timeMs } from './times';
import { tokenName } from '../tokens/token-key';

/** Codes of a renewal that fails until the tenant's credential, its scopes or its secret change. */
const REFUSALS: readonly (EnsureErrorCode | undefined)[] = [
  'credential_refused',
  'scope_refused',
  'not_loaded',
];

/** Why the token was not renewed, if a renewal was tried. */
export function renewalErrorOf(token: TokenSnapshot | undefined): TokenState['renewalError'] {
  return token?.access === 'ok' ? token.renewalError : undefined;
}

/** Whether the next sweep renews the token. */
export function nextSweepRenews(token: TokenSnapshot, nowMs: number): boolean {
  const life = lifeOf(token.access === 'ok' ? token.token : undefined);
  if (life === undefined || nowMs < (life.sameUntilMs ?? 0)) return false;
  const { issuedAtMs, expiresAtMs } = life;
  return expiresAtMs - nowMs < Math.min(DUE_BELOW_SEC * 1000, affordableMs(issuedAtMs, expiresAtMs));
}

/** The times of a stored token; undefined if there is none, or its times cannot be read. */
export function lifeOf(token: TokenState['token']): TokenLife | undefined {
  const [issuedAtMs, expiresAtMs] = [timeMs(token?.issuedAt), timeMs(token?.expiresAt)];
  if (issuedAtMs === undefined || expiresAtMs === undefined) return undefined;
  const sameUntilMs = timeMs(token?.sameUntil);
  return { issuedAtMs, expiresAtMs, ...(sameUntilMs !== undefined && { sameUntilMs }) };
}

/**
 * The finding for a credential that its issuer refuses; undefined if nothing says so. The proof is a renewal that was
 * tried, a token that a former credential obtained, or the tenant's alarm.
 * @param isInAlarm whether the tenant's alarm is in alarm and tokens are not renewed
 */
export function refusalFinding(
  tokens: readonly TokenSnapshot[],
  credential: CredentialSnapshot | undefined,
  isInAlarm: boolean,
  { commands }: RuleContext,
): FindingDetails | undefined {
  // Without a secret, the finding about the secret is the cause.
  if (credential === undefined || credential.access !== 'ok') return undefined;
  if (describeCredential(credential) === 'not loaded') return undefined;
  const refused = tokens.filter((token) => REFUSALS.includes(renewalErrorOf(token)?.code));
  const labels = new Map(credential.versions.map((version) => [version.versionId, version.labels]));
  const current = holderOf(labels, 'AWSCURRENT');
  const ofFormer = tokens.filter((token) => isOfFormer(token, labels));
  const isCurrentRefused = ofFormer.some((token) => token.token?.refusedCredentialVersionId === current);
  if (refused.length === 0 && !isInAlarm && !isCurrentRefused) return undefined;
  const formerServes = refused.length === 0 && ofFormer.length > 0;
  return {
    kind: 'credential_refused',
    severity: formerServes ? 'warning' : 'critical',
    credential: 'client-credentials',
    message: refusalText(refused, credential.secretId),
    meaning: formerServes
      ? 'The former client credential still renews its tokens: callers fail once the issuer ends that one.'
      : 'Its tokens are not renewed: callers fail once they have expired, or already now if the issuer ended them.',
    repair: {
      remedy: `Get ${wantedOf(refused)} from the issuer’s support, then load them:`,
      command: commands.load('client-credentials'),
    },
  };
}

/** What a person must get, by the codes of the refusals. A tenant's alarm does not say whether a scope is missing. */
function wantedOf(refused: readonly TokenSnapshot[]): string {
  const codes = refused.map((token) => renewalErrorOf(token)?.code);
  const isScope = codes.length === 0 || codes.includes('scope_refused');
  return isScope ? 'new client credentials or the missing scope' : 'new client credentials';
}

/** Whether a former credential obtained the token, and may renew it. */
function isOfFormer(token: TokenSnapshot, labels: Labels): token is TokenSnapshot & TokenState {
  return (
    token.access === 'ok' &&
    token.token !== undefined &&
    isFormerUnrevoked(token.token.credentialVersionId, labels)
  );
}

function refusalText(refused: readonly TokenSnapshot[], secretId: string): string {
  if (refused.length === 0) {
    return 'The issuer refuses the client credential or a scope, or the secret holds no client credential.';
  }
  const codeOf = (token: TokenSnapshot) => renewalErrorOf(token)?.code;
  if (refused.every((token) => codeOf(token) === 'not_loaded')) {
    return `The secret ${secretId} holds no client credential.`;
  }
  const codes = refused.map((token) => `${tokenName(token)} (${codeOf(token)})`);
  return `When last asked, the issuer refused the client credential for ${codes.join(', ')}.`;
}

/** The findings about renewals that fail for a reason of the issuer or the deployment: at most one of each kind. */
export function renewalFindings(
  tenants: readonly TenantSnapshot[],
  { commands }: RuleContext,
): FindingDetails[] {
  return (['platform_unavailable', 'renewal_failed'] as const).flatMap((kind): FindingDetails[] => {
    const failing = tenants.flatMap(({ tenantId, tokens }) => {
      const errors = tokens.flatMap((token) => renewalErrorOf(token) ?? []);
      const failure = errors.find(({ code }) => kindOfFailure(code) === kind);
      return failure === undefined ? [] : [{ tenantId, failure }];
    });
    const [first] = failing;
    if (first === undefined) return [];
    const { failure } = first;
    const what =
      kind === 'platform_unavailable'
        ? 'the issuer gave no usable token'
        : 'token-refresh could not renew tokens';
    const ids = failing.map(({ tenantId }) => tenantId);
    const whose = ids.length > 1 && ids.length === tenants.length ? '' : ` for ${shortList(ids)}`;
    return [
      {
        kind,
        severity: 'critical',
        message: `When last asked, ${what}${whose}: ${failure.code}, ${failure.message}.`,
        meaning: 'Callers fail once their tokens have expired. Every sweep, 5 minutes apart, tries again.',
        repair: repairOf(failure, commands.deploy()),
      },
    ];
  });
}

/** The kind of finding that a renewal's failure belongs to. */
export function kindOfFailure(
  code: EnsureErrorCode,
): 'credential_refused' | 'platform_unavailable' | 'renewal_failed' {
  if (REFUSALS.includes(code)) return 'credential_refused';
  return code === 'platform_unavailable' || code === 'bad_platform_answer'
    ? 'platform_unavailable'
    : 'renewal_failed';
}

const ASK_SUPPORT = 'contact the issuer’s support: docs/runbook/alarms.md#tokens-cannot-be-renewed';

function repairOf({ code }: EnsureFailure, deploy: string): Repair {
  switch (code) {
    case 'platform_unavailable':
      return {
        remedy: `Wait: once the issuer works, the next sweep renews the tokens. If it lasts, or for a TLS error, ${ASK_SUPPORT}`,
      };
    case 'bad_platform_answer':
      return {
        remedy: `Waiting helps only if the issuer changes its answer. Compare it with the issuer’s documents, or ${ASK_SUPPORT}`,
      };
    case 'write_budget_spent':
      return {
        remedy:
          'Find what has its tokens renewed so often with docs/runbook/alarms.md#too-many-token-requests. Renewals continue within a day',
      };
    case 'unknown_token_key':
    case 'invalid_request':
      return { command: deploy };
    default:
      return {
        remedy:
          'Find the reason in docs/runbook/alarms.md#tokens-cannot-be-renewed, which says what to do about each',
      };
  }
}
