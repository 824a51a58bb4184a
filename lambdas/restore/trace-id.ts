import { traceIdOfTraceparent } from '../../core/restore/traceparent';

const XRAY_ROOT = /(?:^|;)Root=(1-[0-9a-f]{8}-[0-9a-f]{24})(?:;|$)/;

/**
 * The trace id of a request: the caller's if it sent one valid `traceparent`, otherwise the one that API Gateway gives
 * every request.
 * @param valuesOf every value of a header, by its name in lower case
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function traceIdOf(valuesOf: (name: string) => readonly string[]): string | undefined {
  const sent = valuesOf('traceparent');
  const ofCaller = sent.length === 1 ? traceIdOfTraceparent(sent[0]!) : undefined;
  return ofCaller ?? XRAY_ROOT.exec(valuesOf('x-amzn-trace-id')[0] ?? '')?.[1];
}
