/**
 * Options for one call of an AWS client, which ends it with all its repetitions; none without a time.
 * The client's own timeouts hold for each attempt only.
 */
export function endingAfter(timeoutMs: number | undefined): { abortSignal?: AbortSignal } {
  if (timeoutMs === undefined) return {};
  return { abortSignal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))) };
}
