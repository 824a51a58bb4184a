/** Asks rotate-credentials to try the API keys that the platform has not accepted yet. The schedule sends it, too. */
export interface ProveEvent {
  action: 'prove';
  /** Limits the run to these tenants. @default all */
  tenantIds?: string[];
}

/**
 * What became of a tenant's current API key.
 * - `proven`: the platform accepted it just now.
 * - `unchanged`: it was proven before.
 * - `refused`: the platform refused it, or the value is not an API key. It does not open the restore API.
 * - `could_not_test`: no usable answer; the next run tries again. Until then what was proven before serves on.
 * - `not_loaded`: the secret has no value yet, or does not exist.
 * - `failed`: Secrets Manager refused a call, which is in the function's log.
 */
export type KeyProofOutcome = 'proven' | 'unchanged' | 'refused' | 'could_not_test' | 'not_loaded' | 'failed';

/** Holds no secrets. */
export interface ProveAnswer {
  tenants: { tenantId: string; outcome: KeyProofOutcome; reason?: string }[];
}
