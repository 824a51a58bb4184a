import { type Addresses } from './addresses';
import { ApiKeys } from './content/api-keys';
import { BoundedList } from './bounded';
import { type Change } from './content/audit-trail';
import { DEFAULT_TIMING, ItemFailures, type ProcessingTiming } from './content/processing';
import { RequestCounters } from './counters';
import { Faults } from './faults';
import { Issuers } from './issuers/issuers';
import { type RecentRequest } from './recent-requests';
import { SandboxClock } from './sandbox-clock';
import { parseSeed } from './seed';
import { Setting } from './setting';
import { waitWhileConnected } from './slow-body';
import { Sessions } from './tenant-service/sessions';
import { Tenants } from './tenants';
import { AccessTokens } from './tokens/issued-tokens';
import { ClientCredentials } from './tokens/client-credentials';

export interface StateOptions {
  /** @default Date.now */
  readonly nowMs?: () => number;
  /** The active faults, shared with a server that presents wrong certificates. @default a new, empty list */
  readonly faults?: Faults;
  /** Whether the server supports certificate faults, which need separate ports. @default false */
  readonly certificateFaults?: boolean;
  /** Returns all addresses, called for `GET /addresses`. @default all at the origin of the request */
  readonly addresses?: () => Addresses;
  /** Whether the server sends an answer piece by piece, and breaks connections. @default true */
  readonly connectionFaults?: boolean;
  /** Waits for a delay fault, and returns whether the client is still there. @default real time */
  readonly wait?: (delayMs: number, clientLeft: AbortSignal) => Promise<boolean>;
  /** How much is kept before the oldest is dropped. @default more than any test needs */
  readonly limits?: Partial<
    Record<'apiKeys' | 'changes' | 'countedRequests' | 'sessions' | 'tokens', number>
  >;
}

/** Assumed, to bound memory. */
const MAX_CHANGES = 10_000;
const MAX_RECENT_REQUESTS = 200;

export type SandboxState = ReturnType<typeof createState>;

/**
 * The state that a sandbox starts with.
 * @param seedInput parsed by {@link parseSeed}
 * @throws {InvalidInputError} for a faulty seed
 */
export function createState(seedInput: unknown, options: StateOptions = {}) {
  const seed = parseSeed(seedInput);
  const { limits = {} } = options;
  const keyLagSec = new Setting(seed.keyLagSec);
  const { restoreAvailable: available, actingUserIn, actingUserHeaders } = seed;
  return {
    addresses: options.addresses,
    apiKeys: new ApiKeys(keyLagSec, limits.apiKeys),
    audit: new BoundedList<Change>(limits.changes ?? MAX_CHANGES),
    deployments: seed.deployments.map(({ environment, platformRegion }) => ({ environment, platformRegion })),
    certificateFaults: options.certificateFaults ?? false,
    clock: new SandboxClock(options.nowMs ?? Date.now),
    connectionFaults: options.connectionFaults ?? true,
    counters: new RequestCounters(limits.countedRequests),
    credentials: new ClientCredentials(),
    faults: options.faults ?? new Faults(),
    issuers: new Issuers(seed, limits.tokens),
    itemFailures: new ItemFailures(),
    keyLagSec,
    recentRequests: new BoundedList<RecentRequest>(MAX_RECENT_REQUESTS),
    /** @see platform specification, "Versioning" */
    restore: new Setting({ available, actingUserIn, actingUserHeaders }),
    sessions: new Sessions(limits.sessions),
    tenants: new Tenants(seed),
    timing: new Setting<ProcessingTiming>({ ...DEFAULT_TIMING, ...seed.processing }),
    tokens: new AccessTokens(limits.tokens),
    wait: options.wait ?? waitWhileConnected,
  };
}

/** The parts of a state that requests change. */
const SAVED_PARTS = [
  'apiKeys',
  'audit',
  'clock',
  'counters',
  'credentials',
  'faults',
  'issuers',
  'itemFailures',
  'keyLagSec',
  'recentRequests',
  'restore',
  'sessions',
  'tenants',
  'timing',
  'tokens',
] as const satisfies readonly (keyof SandboxState)[];

/** What requests have changed, as JSON. It has digests of issued values, never the values. */
export function savedState(state: SandboxState): string {
  return JSON.stringify(Object.fromEntries(SAVED_PARTS.map((part) => [part, state[part].snapshot()])));
}

/** Restores {@link savedState} into a state with the same seed. */
export function restoreState(state: SandboxState, saved: string): void {
  const parts = JSON.parse(saved) as Record<(typeof SAVED_PARTS)[number], never>;
  for (const part of SAVED_PARTS) state[part].restore(parts[part]);
}
