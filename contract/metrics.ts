/** Namespace of every metric that the functions write. */
export const METRIC_NAMESPACE = 'Latchkey';

/** The token functions' metrics, all of unit Count with the dimensions `environment` and `platformRegion`. */
export const TOKEN_METRICS = [
  'TokenRenewed',
  'TokenRenewalFailed',
  'TokenRequest',
  'WriteBudgetSpent',
  'CredentialRefused',
  'LifeAssumed',
] as const;
export type TokenMetric = (typeof TOKEN_METRICS)[number];

/** The restore function's metrics, with the same unit and dimensions. */
export const RESTORE_METRICS = ['Restored', 'RestoreRefused', 'RestoreOutcomeUnknown'] as const;
export type RestoreMetric = (typeof RESTORE_METRICS)[number];

export type Metric = TokenMetric | RestoreMetric;
