import { type Context } from 'aws-lambda';

import { type Log, LOG_FIELDS, type LogFields } from '../ports';

type Level = 'INFO' | 'WARN' | 'ERROR';

/** A log whose lines carry the request id of the invocation. */
export interface InvocationLog extends Log {
  addContext(context: Pick<Context, 'awsRequestId'>): void;
}

/**
 * Writes one JSON object per line, with a fixed message and an allow-list of fields. Only strings and numbers, because error
 * objects can contain secrets. Bypasses `console`, because Lambda's runtime adds a prefix to its lines.
 * @see docs/decisions/0013-log-and-metric-lines-are-ours.md
 */
export function jsonLog(): InvocationLog {
  let requestId: string | undefined;
  const lineOf = (level: Level, message: string, fields: LogFields = {}) => {
    const entry: Record<string, unknown> = { level, timestamp: timestampOf(Date.now()), message, requestId };
    for (const name of LOG_FIELDS) {
      const value = fields[name];
      if (typeof value === 'string' || typeof value === 'number') entry[name] = value;
    }
    return `${JSON.stringify(entry)}\n`;
  };
  return {
    info: (message, fields) => void process.stdout.write(lineOf('INFO', message, fields)),
    warn: (message, fields) => void process.stderr.write(lineOf('WARN', message, fields)),
    error: (message, fields) => void process.stderr.write(lineOf('ERROR', message, fields)),
    addContext: ({ awsRequestId }) => (requestId = awsRequestId),
  };
}

const MINUTE_MS = 60_000;
let minute = { startMs: NaN, text: '' };

/** Like `toISOString`, which takes several times as long: within a minute, only seconds and milliseconds are written anew. */
function timestampOf(nowMs: number): string {
  const ms = nowMs - minute.startMs;
  if (ms >= 0 && ms < MINUTE_MS) {
    const digits = String(100_000 + ms);
    return `${minute.text}${digits.slice(1, 3)}.${digits.slice(3)}Z`;
  }
  const text = new Date(nowMs).toISOString();
  minute = { startMs: Math.floor(nowMs / MINUTE_MS) * MINUTE_MS, text: text.slice(0, 17) };
  return text;
}
