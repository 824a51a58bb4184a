export interface CredentialWatchEnvironment {
  /** ARN of the restore function; not set without a restore API. */
  RESTORE_ARN?: string;
}
