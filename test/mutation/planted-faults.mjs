/** A fault: a text that occurs once in a file, what replaces it, and the fewest test files that must notice. */
export const PLANTED_FAULTS = [
  // Wiring.
  {
    name: 'token-address-is-the-content-address',
    file: 'lib/config/compose-deployment-file.ts',
    find: 'contentTokenBaseUrl: normalizeAddress(content.contentTokenBaseUrl)',
    replace: 'contentTokenBaseUrl: normalizeAddress(content.contentBaseUrl)',
    tests: ['test/lib/config/compose-deployment-file.test.ts'],
  },
  {
    name: 'restore-keeps-its-metrics',
    file: 'lambdas/restore/handler.ts',
    find: 'metrics.flush();',
    replace: '',
    tests: ['test/lambdas/restore/handler.test.ts'],
  },
  {
    name: 'denial-names-only-the-called-path',
    file: 'lambdas/authorizer/handler.ts',
    find: "Resource: authentication.kind === 'allowed' ? event.methodArn : '*',",
    replace: 'Resource: event.methodArn,',
    tests: ['test/lambdas/authorizer/handler.test.ts'],
  },
  {
    name: 'logs-write-any-field',
    file: 'lambdas/shared/adapters/json-log.ts',
    find: 'for (const name of ALLOWED) {',
    replace: 'for (const name of Object.keys(fields) as (keyof LogFields)[]) {',
    tests: ['test/lambdas/shared/adapters/json-log.test.ts'],
  },

  // Tokens.
  {
    name: 'wider-scope-is-accepted',
    file: 'lambdas/shared/domain/token-answer.ts',
    find: 'if (granted.size > 1) throw',
    replace: 'if (granted.size > 99) throw',
    tests: ['test/lambdas/shared/domain/token-answer.test.ts'],
  },
  {
    name: 'tokens-are-renewed-at-half-the-margin',
    file: 'lambdas/shared/domain/token-lifetime.ts',
    find: 'return leftMs < dueBelowMs(key);',
    replace: 'return leftMs < dueBelowMs(key) / 2;',
    tests: ['test/lambdas/token-refresh/refresh-token.test.ts'],
  },
  {
    name: 'refusal-is-not-remembered',
    file: 'lambdas/token-refresh/mint-token.ts',
    find: 'memory.refusals.remember(name, error, momentOf(clock), REFUSAL_REMEMBERED_MS);',
    replace: '',
    tests: ['test/lambdas/token-refresh/remembered-failures.test.ts'],
  },
  {
    name: 'lost-write-repeats-its-version-id',
    file: 'lambdas/token-refresh/store-token.ts',
    find: 'attempt: seen.attempt + 1',
    replace: 'attempt: seen.attempt',
    tests: ['test/lambdas/token-refresh/write-conflicts.test.ts'],
  },
  {
    name: 'lost-acknowledgement-is-not-recognized',
    file: 'lambdas/token-refresh/store-token.ts',
    find: 'if (isMoved && current.token?.accessToken === issued.accessToken) {',
    replace: 'if (false) {',
    tests: ['test/lambdas/token-refresh/write-conflicts.test.ts'],
  },
  {
    name: 'no-former-credential',
    file: 'lambdas/token-refresh/mint-token.ts',
    find: 'if (former === undefined) throw error;',
    replace: 'throw error;',
    tests: ['test/lambdas/token-refresh/former-credential.test.ts'],
  },
  {
    name: 'one-secret-for-all-scopes',
    file: 'contract/secret-names.ts',
    find: "/token/${tokenTypeName(key, '/')}`",
    replace: '/token/${key.interface}`',
    tests: ['test/contract/names.test.ts'],
  },

  // Restore.
  {
    name: 'second-401-is-an-unknown-outcome',
    file: 'lambdas/restore/restore-content.ts',
    find: "return { outcome: 'platformRefusedToken', upstreamStatus: 401 };",
    replace: "return { outcome: 'unknownAfterAnswer', upstreamStatus: 401 };",
    tests: ['test/lambdas/restore/restore-content.test.ts'],
  },
  {
    name: 'request-is-sent-without-time-for-its-answer',
    file: 'lambdas/restore/restore-content.ts',
    find: 'const MIN_REQUEST_MS = 3_000;',
    replace: 'const MIN_REQUEST_MS = 0;',
    tests: ['test/lambdas/restore/restore-content.test.ts'],
  },
  {
    name: 'unknown-status-promises-no-change',
    file: 'lambdas/restore/restore-content.ts',
    find: "BY_UPSTREAM_STATUS[result.status] ?? 'unknownAfterAnswer'",
    replace: "BY_UPSTREAM_STATUS[result.status] ?? 'platformFailed'",
    tests: ['test/lambdas/restore/restore-content.test.ts'],
  },
];
