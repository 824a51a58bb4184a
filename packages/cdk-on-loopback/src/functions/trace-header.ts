import { randomBytes } from 'node:crypto';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

function newTrace(nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000).toString(16);
  return `Root=1-${seconds.padStart(8, '0')}-${hex(12)}`;
}

/**
 * The header with which API Gateway and Lambda pass a request on: the caller's if it has a trace, else that of a new one.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
export function traceHeader(sent: string | undefined, nowMs: number): string {
  return sent !== undefined && fieldOf(sent, 'Root', '1-[0-9a-f]{8}-[0-9a-f]{24}') ? sent : newTrace(nowMs);
}

/**
 * The header under which Lambda runs a function, with a parent and a sampling decision. API Gateway answers with it.
 * @see https://github.com/localstack/localstack (test_invocation_trace_id, recorded from AWS)
 */
export function functionTraceHeader(sent: string | undefined, nowMs: number): string {
  const header = traceHeader(sent, nowMs);
  const root = fieldOf(header, 'Root', '[^;]+')!;
  const parent = fieldOf(header, 'Parent', '[0-9a-f]{16}') ?? `Parent=${hex(8)}`;
  const sampled = fieldOf(header, 'Sampled', '[01]') ?? 'Sampled=0';
  return [root, parent, sampled].join(';');
}

function fieldOf(header: string, name: string, value: string): string | undefined {
  return new RegExp(`(?:^|;)(${name}=${value})(?:;|$)`).exec(header)?.[1];
}
