/** Environment variables of the restore function. All other settings are in `deployment.json`. */
export interface RestoreEnvironment {
  /** ARN of the deployment's token-refresh function. */
  TOKEN_REFRESH_ARN: string;
}
