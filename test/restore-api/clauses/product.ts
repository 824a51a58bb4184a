import { type Break } from '../../support/breaks/break';

/** The files of the product that the cases break. */
export const PRODUCT = {
  acceptedSecret: 'lambdas/shared/domain/accepted-secret.ts',
  acceptedSecrets: 'lambdas/shared/adapters/secrets-manager-accepted-secrets.ts',
  authenticate: 'lambdas/authorizer/authenticate.ts',
  authorizationHeader: 'lambdas/authorizer/authorization-header.ts',
  authorizerHandler: 'lambdas/authorizer/handler.ts',
  contract: 'contract/restore.ts',
  credentialValues: 'lambdas/shared/domain/credential-values.ts',
  gatewayProblems: 'contract/gateway-problems.ts',
  httpsClient: 'lambdas/shared/adapters/https-client.ts',
  outcomeOfStatus: 'lambdas/restore/outcome-of-status.ts',
  outcomes: 'contract/restore-outcomes.ts',
  platformContent: 'lambdas/shared/adapters/platform-content.ts',
  restoreContent: 'lambdas/restore/restore-content.ts',
  restoreHandler: 'lambdas/restore/handler.ts',
  restoreRequest: 'lambdas/restore/restore-request.ts',
  restoredRecord: 'lambdas/restore/restored-record.ts',
  retryAfter: 'lambdas/shared/domain/retry-after.ts',
  tokenValue: 'contract/token-value.ts',
  upstreamTokens: 'lambdas/shared/adapters/upstream-tokens.ts',
} as const;

/** Breaks a line of one of these files. */
export function broken(file: keyof typeof PRODUCT, from: string, to: string): Break {
  return { file: PRODUCT[file], from, to };
}

/** A refusal of the platform is no longer known for what it is. */
export function unknownStatus(status: number, outcome: string): Break {
  return broken('outcomeOfStatus', `  ${status}: '${outcome}',\n`, '');
}

/** Whatever the platform says that is not documented passes for a failure before which nothing was modified. */
export const UNKNOWN_IS_FAILURE = broken('outcomeOfStatus', "'unknownAfterAnswer'", "'platformFailed'");

/** Every answer with a 2xx passes for a success. */
export const ANY_2XX_IS_SUCCESS = broken(
  'restoreContent',
  'result.status === successStatus',
  'Math.floor(result.status / 100) === 2',
);

/** A success whose record cannot be read passes for one all the same. */
export const UNREADABLE_IS_SUCCESS = broken(
  'restoreContent',
  "{ outcome: 'unknownAfterAnswer', upstreamStatus: result.status, reason: 'unreadable record' }",
  "{ outcome: 'restored', upstreamStatus: result.status }",
);

/** Every secret passes for the one that was presented. */
export const ANY_SECRET_PASSES = broken(
  'acceptedSecret',
  'timingSafeEqual(secret.sha256, presentedSha256)',
  'true',
);

/** A secret authenticates for ever. */
export const NO_SECRET_ENDS = broken('acceptedSecret', ' && secret.acceptedUntilMs > nowMs', '');

/** Callers of any scope are let through. */
export const ANY_SCOPE_PASSES = broken(
  'authorizerHandler',
  "authentication.kind === 'allowed' ? 'Allow' : 'Deny'",
  "'Allow'",
);

/** A failed check of the acting user is not told. */
export const REFERENCES_ARE_NOT_CHECKED = unknownStatus(422, 'rejectedByPlatform');

/** A 401 of the platform is an answer as any other. */
export const NO_SECOND_TRY = broken('restoreContent', 'if (!isUnauthorized(first)) return', 'return');
