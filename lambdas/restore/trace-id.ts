/** Version, trace id, parent id, flags; a later version may append fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
const XRAY_ROOT = /(?:^|;)Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?:;|$)/;

/**
 * The trace id of a request: the caller's if it sent one valid `traceparent`, otherwise the one that API Gateway gives
 * every request.
 * @param valuesOf every value of a header, by its name in lower case
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function traceIdOf(valuesOf: (name: string) => readonly string[]): string | undefined {
  const [traceparent, ...others] = valuesOf('traceparent');
  const [, version, traceId, more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId !== undefined && others.length === 0 && (version !== '00' || more === undefined))
    return traceId;
  return XRAY_ROOT.exec(valuesOf('x-amzn-trace-id')[0] ?? '')?.[1];
}
