import { type ParameterLeaf } from '../../../../core/deployment/parameter-names';
import { type CredentialKind } from '../../../../core/secrets/secret-names';
import { sha256Hex } from '../../../../core/secrets/sha256';
import { GUARANTEED_LIFE_SEC } from '../../../../core/tokens/lifetimes';
import { type UpstreamResult } from '../../../../lambdas/shared/ports';
import { answerOf } from '../../../support/lambdas/restore-functions';
import { type StoreTrouble } from '../../../support/live/live-account';
import { DOWN, oauthError, tokenAnswer, type Turn } from '../../../support/platform/credential-platform';
import { SWEEP, sweepIrregularly } from './irregular-sweeps';
import { HOUR_MS, MINUTE_MS, type Replay, TOKEN_OF_TENANT_1 } from './replay';

/** A row of the fault matrix, as a replayed deployment sees it. */
export interface Fault {
  id: `F${number}`;
  fault: string;
  /** How the token endpoints answer meanwhile, to `ofTenants` or to all. Sweeps are then irregular. */
  answer?: Turn;
  ofTenants?: readonly string[];
  /** How Secrets Manager fails meanwhile. */
  store?: StoreTrouble;
  /** What the platform answers to the next restores. */
  restores?: readonly UpstreamResult[];
  happen?(replay: Replay): unknown;
  /** How long it then lasts. @default it is over at once */
  forMs?: number;
  /** Alarms that notify. @default none */
  pages?: readonly string[];
  /** Alarms that must go into alarm, notifying or not, if `pages` alone is ambiguous. */
  inAlarm?: readonly string[];
  /** Whether it ends only when an operator does what `status` advises. */
  isAdvised?: boolean;
  /** What differs with `trailEvents` if every event is lost. */
  withoutEvents?: Pick<Fault, 'pages' | 'inAlarm'>;
  /** Whether a credential is loaded. @default all are */
  isLoaded?: (tenantId: string, kind: CredentialKind) => boolean;
}

const TENANT = 'tenant-1';
const REFUSED = [`${TENANT}/credential-refused`];
const ATTENTION = [`${TENANT}/credential-attention`];
/** A stored token outlasts this with more than five minutes to spare. */
const SHORT_MS = 9 * MINUTE_MS;
/** Until tokens have expired, and for some sweeps more. */
const LASTING_MS = 50 * MINUTE_MS;
/** Until after the next run of credential-watch. */
export const UNTIL_SEEN_MS = 6 * HOUR_MS;

/** Two rows: one ends before any token has less than five minutes left, the other later. */
const shortAndLasting = ({ fault, ...row }: Fault): Fault[] => [
  { ...row, fault: `${fault}, for 9 minutes`, forMs: SHORT_MS },
  { ...row, fault: `${fault}, until tokens have ended`, forMs: LASTING_MS, pages: ['tokens'] },
];

/** Lasts until somebody acts. Notifies once, before tokens expire. */
const BLOCKED = { forMs: LASTING_MS, pages: ['tokens'], inAlarm: ['tokens-blocked', 'token-life'] };

/** A credential is written by hand. Tokens outlive it, because the former one serves on. */
const pasted = (what: string, value: string, more: Partial<Fault> = {}): Fault => ({
  ...more,
  id: 'F6',
  fault: `${what} was written by hand`,
  pages: REFUSED,
  isAdvised: true,
  async happen(replay) {
    replay.operator.paste(TENANT, 'client-credentials', value);
    await sweepIrregularly(replay, 3 * HOUR_MS);
    const expiries = replay.tokenNames(TENANT).map((name) => Date.parse(replay.tokenIn(name).expiresAt));
    expect(Math.min(...expiries) - replay.time.nowMs()).toBeGreaterThan(GUARANTEED_LIFE_SEC * 1000);
  },
});

/** An API key is written by hand, and is replaced as advised. */
const keyPasted = (fault: string, pages: string[], keyOf: (replay: Replay) => string): Fault => ({
  id: 'F6',
  fault,
  pages,
  forMs: 7 * HOUR_MS,
  isAdvised: true,
  happen: (replay) => replay.operator.paste(TENANT, 'api-key', keyOf(replay)),
});

const expiringIn = (days: number) => (replay: Replay) =>
  JSON.stringify({
    ...(JSON.parse(replay.platform.issueValue(TENANT, 'api-key')) as object),
    validUntil: new Date(replay.time.nowMs() + days * 24 * HOUR_MS).toISOString(),
  });

/** The token endpoints answer this way meanwhile. */
const answered = (id: Fault['id'], fault: string, answer: Turn, more: Partial<Fault> = {}): Fault => ({
  id,
  fault,
  answer,
  ...more,
});

/** F1 to F13, F34, F35 and F37. */
const PLATFORM_FAULTS: Fault[] = [
  ...[
    answered('F1', 'the token endpoint is down', DOWN),
    answered('F2', 'it never answers', () => ({ kind: 'silence' })),
    answered('F3', 'it answers 429 and asks to wait', () => oauthError(429, 'x', { 'retry-after': '30' })),
    answered('F4', 'it answers 429 and asks to wait for years', () =>
      oauthError(429, 'x', { 'retry-after': '1000000000' }),
    ),
    answered('F5', 'it answers 503', () => oauthError(503)),
    answered('F7', 'it answers no JSON', () => ({ kind: 'answer', status: 200, body: '<html>' })),
    answered('F37', 'one tenant gets no answer', DOWN, { ofTenants: [TENANT] }),
  ].flatMap(shortAndLasting),
  {
    id: 'F6',
    fault: 'a tenant’s client credentials are revoked',
    pages: REFUSED,
    isAdvised: true,
    async happen(replay) {
      replay.platform.revokeAll(TENANT);
      replay.operator.paste(TENANT, 'api-key');
      await sweepIrregularly(replay, 3 * HOUR_MS);
    },
  },
  pasted('a credential that the platform refuses', '{"clientId":"app","clientSecret":"wrong"}'),
  pasted('a text that is no credential', 'a text', {
    // The former credential renews tokens, which ends the alarm until the next renewal.
    withoutEvents: { pages: [...REFUSED, ...REFUSED] },
  }),
  keyPasted(
    'a text that is no API key was written by hand',
    [...REFUSED, 'api-key-expiring-soon', ...ATTENTION],
    () => 'a text',
  ),
  keyPasted('an API key expires in 20 days', ATTENTION, expiringIn(20)),
  keyPasted('an API key expires in 5 days', ['api-key-expiring-soon', ...ATTENTION], expiringIn(5)),
  keyPasted('an API key has expired', ['api-key-expiring-soon', ...ATTENTION], expiringIn(-1)),
  answered('F6', 'a scope is not granted to a tenant', () => oauthError(400, 'invalid_scope'), {
    ofTenants: [TENANT],
    forMs: 3 * HOUR_MS,
    pages: REFUSED,
  }),
  answered('F8', 'it names no life', tokenAnswer({ expires_in: undefined }), { forMs: 3 * HOUR_MS }),
  answered('F9', 'it writes the life as text', tokenAnswer({ expires_in: '3600' }), { forMs: 3 * HOUR_MS }),
  answered('F9', 'it names a life of ages', tokenAnswer({ expires_in: 1e12 }), { forMs: 3 * HOUR_MS }),
  answered('F9', 'it names no life that can be', tokenAnswer({ expires_in: -1 }), { forMs: SHORT_MS }),
  {
    id: 'F10',
    fault: 'the functions’ clock is ahead, then behind, and set during a run',
    async happen(replay) {
      for (const skewMs of [5 * MINUTE_MS, -5 * MINUTE_MS, 0]) {
        replay.skewMs = skewMs;
        await replay.time.advance(2 * HOUR_MS);
      }
    },
  },
  answered(
    'F11',
    'it redirects',
    () => oauthError(307, 'x', { location: 'https://elsewhere.example/' }),
    BLOCKED,
  ),
  ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'].map((code) =>
    answered('F12', `TLS fails: ${code}`, () => ({ kind: 'unreachable', code }), BLOCKED),
  ),
  answered('F13', 'the connection breaks after sending', () => ({ kind: 'reset' }), { forMs: SHORT_MS }),
  answered('F34', 'its tokens live for 25 min', tokenAnswer({ expires_in: 1_500 }), {
    ...BLOCKED,
    inAlarm: ['tokens-blocked'],
  }),
  answered('F35', 'its tokens expire first', tokenAnswer({ expires_in: 60 }), {
    forMs: 14 * MINUTE_MS,
    pages: ['tokens'],
    inAlarm: ['token-requests'],
  }),
];

const READS = ['GetSecretValue', 'DescribeSecret', 'ListSecretVersionIds'];
const readsThrottled: StoreTrouble = ({ operation }) =>
  READS.includes(operation) ? 'ThrottlingException' : undefined;
const failingWrites =
  (exception: string): StoreTrouble =>
  ({ operation }) =>
    operation === 'PutSecretValue' ? exception : undefined;
/** The token functions lack a permission, or may not use the key. */
const deniedToTokens =
  (denied: string, of: string, exception = 'AccessDeniedException'): StoreTrouble =>
  ({ operation, secretId, caller = '' }) =>
    caller.includes('Tokens') && operation === denied && secretId.includes(of) ? exception : undefined;
const isOfTenant1 = (tenantId: string) => tenantId === TENANT;

/** Somebody deletes a secret. */
const deleted = (name: string, pages: readonly string[], forMs: number): Fault => ({
  id: 'F18',
  fault: `${name} is scheduled for deletion`,
  pages,
  forMs,
  isAdvised: true,
  happen({ secrets, time }) {
    const deletedAtMs = time.nowMs();
    const purgeAtMs = deletedAtMs + 7 * 24 * HOUR_MS;
    Object.assign(secrets.secret(`latchkey/staging/mea/${TENANT}/${name}`), { deletedAtMs, purgeAtMs });
  },
});

/** Several processes renew the same tokens at once, so one of their writes comes second. */
const renewedAtOnce = (id: Fault['id'], fault: string, times: number): Fault => ({
  id,
  fault,
  async happen(replay) {
    // The tokens are then due, before the next sweep.
    await replay.time.advance(2 * MINUTE_MS);
    const sweep = replay.functions.invoke(replay.arnOf('token-sweep-arn'), SWEEP);
    const ensures = Array.from({ length: times }, () => replay.ensure());
    await replay.time.until(Promise.all([sweep, ...ensures]));
  },
});

/** Secrets Manager fails this way meanwhile. */
const failing = (id: Fault['id'], fault: string, store: StoreTrouble, more: Partial<Fault> = {}): Fault => ({
  id,
  fault,
  store,
  ...more,
});

/** A new process has no cached tokens. */
const inNewProcesses = ({ functions }: Replay) => functions.startNewProcesses();

/** F14 to F20, and F23. */
const STORE_FAULTS: Fault[] = [
  failing('F14', 'reads are throttled for 8 minutes, and processes are new', readsThrottled, {
    forMs: 8 * MINUTE_MS,
    happen: inNewProcesses,
  }),
  failing('F14', 'reads are throttled until tokens have ended, and processes are new', readsThrottled, {
    forMs: LASTING_MS,
    pages: ['tokens'],
    happen: inNewProcesses,
  }),
  ...[
    failing('F14', 'reads are throttled', readsThrottled),
    failing('F15', 'writes are throttled', failingWrites('ThrottlingException')),
    failing('F15', 'there are too many versions', failingWrites('LimitExceededException')),
  ].flatMap(shortAndLasting),
  ...[
    deniedToTokens('GetSecretValue', '/token/'),
    deniedToTokens('PutSecretValue', '/token/'),
    deniedToTokens('GetSecretValue', '/client-credentials'),
    deniedToTokens('GetSecretValue', '/client-credentials', 'DecryptionFailure'),
  ].map((trouble, number) =>
    failing('F16', `the token functions are denied, case ${number + 1}`, trouble, {
      ...BLOCKED,
      inAlarm: ['tokens-blocked'],
    }),
  ),
  failing(
    'F16',
    'the token functions may not look for changes',
    deniedToTokens('DescribeSecret', '/client-credentials'),
    {
      ...BLOCKED,
      inAlarm: ['tokens-blocked'],
      // A renewal reads the credential, so for an hour they need no look.
      withoutEvents: { pages: [], inAlarm: [] },
    },
  ),
  { id: 'F17', fault: 'nothing was ever loaded for a tenant', forMs: 7 * HOUR_MS, isLoaded: isOfTenant1 },
  {
    id: 'F17',
    fault: 'the stack of a tenant is not deployed',
    store: ({ secretId }) => (secretId.includes('/tenant-2/') ? 'ResourceNotFoundException' : undefined),
    forMs: 7 * HOUR_MS,
    isLoaded: isOfTenant1,
  },
  {
    id: 'F17',
    fault: 'the secret of a token holds something else',
    isAdvised: true,
    happen: ({ secrets }) => secrets.put(TOKEN_OF_TENANT_1, 'a text'),
  },
  deleted('token/content/api-read', ['tokens'], HOUR_MS),
  deleted('client-credentials', ['tokens'], HOUR_MS),
  deleted('api-key', ATTENTION, 7 * HOUR_MS),
  renewedAtOnce('F19', 'a sweep and a caller renew the same token', 1),
  renewedAtOnce('F20', 'a hundred callers ask for the same token', 100),
  {
    id: 'F23',
    fault: 'acknowledgements of writes are lost',
    forMs: SHORT_MS,
    happen({ secrets, tokenNames }) {
      const lost = { operation: 'PutSecretValue', name: 'InternalServiceError', isAfterEffect: true };
      secrets.faults.push(...tokenNames().map((secret) => ({ ...lost, secret })));
    },
  },
];

/** Secrets Manager gives up a rotation after this many attempts. */
const TRIES = 3;

async function stageAndRotate({ operator, time }: Replay, kind: CredentialKind, value: string) {
  await operator.stage(TENANT, kind, value);
  await operator.rotate(TENANT, kind);
  await time.advance(MINUTE_MS);
}

/** F24 to F27. */
const ROTATION_FAULTS: Fault[] = [
  {
    id: 'F24',
    fault: 'a rotation breaks off and leaves its version pending',
    forMs: UNTIL_SEEN_MS,
    isAdvised: true,
    async happen(replay) {
      replay.functions.kills.set(replay.arnOf('rotate-credentials-arn'), TRIES);
      const value = replay.platform.issueValue(TENANT, 'client-credentials');
      await stageAndRotate(replay, 'client-credentials', value);
    },
  },
  {
    id: 'F24',
    fault: 'a candidate label is left on the current version',
    isAdvised: true,
    happen: ({ operator }) => operator.labelCurrent(TENANT, 'client-credentials'),
  },
  ...(['client-credentials', 'api-key'] as const).flatMap((kind): Fault[] => [
    {
      id: 'F25',
      fault: `the platform refuses a new ${kind}`,
      forMs: UNTIL_SEEN_MS,
      pages: ATTENTION,
      isAdvised: true,
      happen: (replay) => stageAndRotate(replay, kind, replay.platform.tenant(TENANT).strangeValue(kind)),
    },
    {
      id: 'F25',
      fault: `a new ${kind} cannot be tested`,
      forMs: UNTIL_SEEN_MS,
      pages: ATTENTION,
      isAdvised: true,
      async happen(replay) {
        const { platform, time } = replay;
        platform.setTrouble(DOWN);
        await stageAndRotate(replay, kind, platform.issueValue(TENANT, kind));
        await time.advance(SHORT_MS - MINUTE_MS);
        platform.setTrouble(undefined);
      },
    },
  ]),
  {
    id: 'F26',
    fault: 'a key is generated and staged, and its command dies',
    forMs: UNTIL_SEEN_MS,
    isAdvised: true,
    happen: ({ operator, platform }) =>
      operator.stage(TENANT, 'api-key', platform.issueValue(TENANT, 'api-key')),
  },
  {
    id: 'F27',
    fault: 'a credential is rotated, and the tokens of the earlier one cannot be replaced for a while',
    store: ({ operation, secretId }) =>
      operation === 'PutSecretValue' && secretId.includes(`/${TENANT}/token/`)
        ? 'ThrottlingException'
        : undefined,
    forMs: SHORT_MS,
    isAdvised: true,
    happen: ({ operator }) => operator.paste(TENANT, 'client-credentials'),
  },
  {
    id: 'F27',
    fault: 'a credential is rotated while tokens of the earlier one are stored',
    happen: ({ operator }) => operator.put(TENANT, 'client-credentials'),
  },
];

/** An invocation is killed. */
const killed = (leaf: ParameterLeaf): Fault => ({
  id: 'F22',
  fault: `an invocation is killed: ${leaf.replace('-arn', '')}`,
  forMs: leaf === 'credential-watch-arn' ? UNTIL_SEEN_MS : HOUR_MS,
  happen: ({ functions, arnOf }) => functions.kills.set(arnOf(leaf), 1),
});

/** The next restores get these results, in turn. */
const restored = (id: Fault['id'], fault: string, ...restores: UpstreamResult[]): Fault => ({
  id,
  fault,
  restores,
  forMs: HOUR_MS,
});

const NO_ANSWER: UpstreamResult = { kind: 'no_answer', reason: 'timeout' };

/** F21, F22, F28 to F33, and F36. */
const RUN_FAULTS: Fault[] = [
  {
    id: 'F21',
    fault: 'sweeps come late and twice',
    happen: (replay) => sweepIrregularly(replay, 3 * HOUR_MS),
  },
  {
    id: 'F22',
    fault: 'a sweep is killed now and then, and the next one is late',
    happen: (replay) => sweepIrregularly(replay, 3 * HOUR_MS, [8, 24]),
  },
  ...(['token-sweep-arn', 'token-refresh-arn', 'credential-watch-arn', 'restore-arn'] as const).map(killed),
  restored('F28', 'no connection to the restore operation', { kind: 'not_sent', reason: 'ECONNREFUSED' }),
  restored('F28', 'the restore operation answers 502', answerOf(502)),
  restored('F29', 'a restore has no answer', NO_ANSWER),
  restored('F30', 'a restore has no answer, and the next one 409', NO_ANSWER, answerOf(409)),
  restored('F31', 'the platform refuses a token', answerOf(401)),
  restored('F31', 'the platform refuses a token and the next one', answerOf(401), answerOf(401)),
  ...[500, 503, 307, 418, 204, 200].map((status) =>
    restored('F32', `the restore operation answers ${status} and nothing`, answerOf(status)),
  ),
  restored('F32', 'its answer is too large', { kind: 'unreadable', reason: 'over 1 MiB' }),
  {
    id: 'F33',
    fault: 'a reader of a replica says that an earlier token is refused',
    async happen(replay) {
      await replay.time.advance(10 * MINUTE_MS);
      for (let count = 0; count < 30; count += 1) {
        await replay.ensure({ rejectedTokenSha256: sha256Hex('a token of an hour ago') });
        await replay.time.advance(2 * MINUTE_MS);
      }
    },
  },
  {
    id: 'F36',
    fault: 'another deployment ends each token',
    pages: ['tokens'],
    inAlarm: ['token-requests'],
    async happen(replay) {
      for (let count = 0; count < 60; count += 1) {
        const { accessToken } = replay.tokenIn(TOKEN_OF_TENANT_1);
        await replay.time.until(replay.ensure({ rejectedTokenSha256: sha256Hex(accessToken) }));
        await replay.time.advance(MINUTE_MS / 2);
      }
    },
  },
];

export const FAULTS: readonly Fault[] = [
  ...PLATFORM_FAULTS,
  ...STORE_FAULTS,
  ...ROTATION_FAULTS,
  ...RUN_FAULTS,
];
