/** Version, trace id, parent id, flags; a later version may append fields. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[\x21-\x7e]*)?$/;

/**
 * The trace id in a `traceparent` header; undefined if the header is invalid.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function traceIdOfTraceparent(traceparent: string): string | undefined {
  const [, version, traceId, more] = TRACEPARENT.exec(traceparent) ?? [];
  return version === '00' && more !== undefined ? undefined : traceId;
}
