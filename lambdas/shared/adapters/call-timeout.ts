export interface CallOptions {
  abortSignal?: AbortSignal;
}

/**
 * Options that abort one call of an AWS client, including its retries; empty without a timeout.
 * The client's own timeouts apply to each attempt.
 */
export function endingAfter(timeoutMs: number | undefined): CallOptions {
  if (timeoutMs === undefined) return {};
  return { abortSignal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))) };
}
