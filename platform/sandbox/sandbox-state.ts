import { type Addresses } from './addresses';
import { ApiKeys } from './content/api-keys';
import { AuditTrail } from './content/audit-trail';
import { Processing } from './content/processing';
import { RestoreSettings } from './content/provisional-settings';
import { RequestCounters } from './counters';
import { Faults } from './faults';
import { RecentRequests } from './recent-requests';
import { SandboxClock } from './sandbox-clock';
import { parseSeed } from './seed';
import { Sessions } from './tenant-service/sessions';
import { Tenants } from './tenants';
import { AccessTokens } from './tokens/issued-tokens';
import { ClientCredentials } from './tokens/client-credentials';

/** Options of {@link createState}. */
export interface StateOptions {
  /** @default Date.now */
  readonly nowMs?: () => number;
  /** The active faults, shared with a server that presents wrong certificates. @default a new, empty list */
  readonly faults?: Faults;
  /** Whether the server supports certificate faults, which need separate ports. @default false */
  readonly certificateFaults?: boolean;
  /** Returns all addresses, called for `GET /addresses`. @default all at the origin of the request */
  readonly addresses?: () => Addresses;
}

/** All that a sandbox keeps in memory. */
export type SandboxState = ReturnType<typeof createState>;

/**
 * The state that a sandbox starts with.
 * @param seedInput parsed by {@link parseSeed}
 * @throws {InvalidInputError} for a faulty seed
 */
export function createState(seedInput: unknown, options: StateOptions = {}) {
  const seed = parseSeed(seedInput);
  return {
    addresses: options.addresses,
    apiKeys: new ApiKeys(seed.keyLagSec),
    audit: new AuditTrail(),
    cells: seed.cells.map(({ environment, platformRegion }) => ({ environment, platformRegion })),
    certificateFaults: options.certificateFaults ?? false,
    clock: new SandboxClock(options.nowMs ?? Date.now),
    counters: new RequestCounters(),
    credentials: new ClientCredentials(),
    faults: options.faults ?? new Faults(),
    processing: new Processing(seed.processing),
    recentRequests: new RecentRequests(),
    restore: new RestoreSettings(seed),
    sessions: new Sessions(),
    tenants: new Tenants(seed),
    tokens: new AccessTokens(),
  };
}
