/** Variables of the restore function; what it serves is in `deployment.json`. */
export interface RestoreEnvironment {
  /** ARN of the deployment's token-refresh function. */
  TOKEN_REFRESH_ARN: string;
}
