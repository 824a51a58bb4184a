import { type FaultReplay, HOUR_MS, LASTING_MS, MINUTE_MS, SHORT_MS, shortAndLasting } from './fault-replay';
import { SWEEP } from './irregular-sweeps';
import { type StoreTrouble } from '../../../support/live/live-account';
import { type Replay, TOKEN_OF_TENANT_1 } from './replay';

const DAY_MS = 24 * HOUR_MS;

/** Secrets Manager fails this way for a while. */
function troubled(
  id: FaultReplay['id'],
  fault: string,
  trouble: StoreTrouble,
  pages: readonly string[],
  { forMs = LASTING_MS, coldStart = false } = {},
): FaultReplay {
  return {
    id,
    fault,
    pages,
    async happen({ replay }) {
      replay.storeTrouble = trouble;
      if (coldStart) replay.functions.startNewProcesses();
      await replay.time.advance(forMs);
    },
    async end({ replay }) {
      replay.storeTrouble = () => undefined;
    },
  };
}

const shortAndLastingTrouble = (id: FaultReplay['id'], fault: string, trouble: StoreTrouble) =>
  shortAndLasting(fault, (text, pages, forMs) => troubled(id, text, trouble, pages, { forMs }));

const READS = ['GetSecretValue', 'DescribeSecret', 'ListSecretVersionIds'];
const READ_THROTTLED: StoreTrouble = ({ operation }) =>
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

const missingOf =
  (tenantId: string): StoreTrouble =>
  ({ secretId }) =>
    secretId.includes(`/${tenantId}/`) ? 'ResourceNotFoundException' : undefined;
const isOfTenant1 = (tenantId: string) => tenantId === 'tenant-1';

/** Somebody deletes a secret. */
function scheduledForDeletion(name: string, pages: readonly string[], hours: number): FaultReplay {
  return {
    id: 'F18',
    fault: `${name} is scheduled for deletion`,
    pages,
    quietAfterHours: hours > 6 ? 7 : 2.5,
    async happen({ replay: { secrets, time } }) {
      const nowMs = time.nowMs();
      Object.assign(secrets.secret(`latchkey/staging/mea/tenant-1/${name}`), {
        deletedAtMs: nowMs,
        purgeAtMs: nowMs + 7 * DAY_MS,
      });
      await time.advance(hours * HOUR_MS);
    },
    end: 'as advised',
  };
}

/** The tokens are then due, before the next sweep. */
const PAST_DUE_MS = 2 * MINUTE_MS;

/** Several processes renew the same tokens at once, so one of their writes comes second. */
function renewedAtOnce(id: FaultReplay['id'], fault: string, times: number): FaultReplay {
  return {
    id,
    fault,
    pages: [],
    async happen({ replay }) {
      await replay.time.advance(PAST_DUE_MS);
      const sweep = replay.functions.invoke(replay.arnOf('token-sweep-arn'), SWEEP);
      const ensures = Array.from({ length: times }, () => replay.ensure());
      await replay.time.until(Promise.all([sweep, ...ensures]));
    },
  };
}

/** Executes each write of a token, but loses its acknowledgement. */
function losingAcknowledgements(replay: Replay): StoreTrouble {
  const lost = new Set<string>();
  return ({ operation, secretId, command }) => {
    if (operation !== 'PutSecretValue' || lost.has(secretId)) return undefined;
    lost.add(secretId);
    void replay.secrets.send(command);
    return 'InternalServiceError';
  };
}

/** F14 to F20, and F23. */
export const STORE_FAULTS: FaultReplay[] = [
  // A new process has no cached tokens.
  troubled('F14', 'reads are throttled for 8 minutes, and processes are new', READ_THROTTLED, [], {
    forMs: 8 * MINUTE_MS,
    coldStart: true,
  }),
  troubled(
    'F14',
    'reads are throttled until tokens have ended, and processes are new',
    READ_THROTTLED,
    ['tokens'],
    { coldStart: true },
  ),
  ...shortAndLastingTrouble('F14', 'reads are throttled', READ_THROTTLED),
  ...shortAndLastingTrouble('F15', 'writes are throttled', failingWrites('ThrottlingException')),
  ...shortAndLastingTrouble('F15', 'there are too many versions', failingWrites('LimitExceededException')),
  ...[
    deniedToTokens('GetSecretValue', '/token/'),
    deniedToTokens('PutSecretValue', '/token/'),
    deniedToTokens('GetSecretValue', '/client-credentials'),
    deniedToTokens('DescribeSecret', '/client-credentials'),
    deniedToTokens('GetSecretValue', '/client-credentials', 'DecryptionFailure'),
  ].map((trouble, number) => ({
    ...troubled('F16', `the token functions are denied, case ${number + 1}`, trouble, ['tokens']),
    inAlarm: ['tokens-blocked'],
  })),
  {
    id: 'F17',
    fault: 'nothing was ever loaded for a tenant',
    pages: [],
    isLoaded: isOfTenant1,
    happen: ({ replay }) => replay.time.advance(7 * HOUR_MS),
  },
  {
    ...troubled('F17', 'the stack of a tenant is not deployed', missingOf('tenant-2'), [], {
      forMs: 7 * HOUR_MS,
    }),
    isLoaded: isOfTenant1,
  },
  {
    id: 'F17',
    fault: 'the secret of a token holds something else',
    pages: [],
    async happen({ replay }) {
      replay.secrets.put(TOKEN_OF_TENANT_1, 'a text');
    },
    end: 'as advised',
  },
  scheduledForDeletion('token/content/api-read', ['tokens'], 1),
  scheduledForDeletion('client-credentials', ['tokens'], 1),
  scheduledForDeletion('api-key', ['tenant-1/credential-attention'], 7),
  renewedAtOnce('F19', 'a sweep and a caller renew the same token', 1),
  renewedAtOnce('F20', 'a hundred callers ask for the same token', 100),
  {
    id: 'F23',
    fault: 'acknowledgements of writes are lost',
    pages: [],
    async happen({ replay }) {
      replay.storeTrouble = losingAcknowledgements(replay);
      await replay.time.advance(SHORT_MS);
    },
  },
];
