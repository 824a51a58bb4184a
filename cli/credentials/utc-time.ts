const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A time as secrets hold it: ISO 8601, UTC. One without an offset counts as UTC, whatever the zone of this machine.
 * Undefined for anything else.
 */
export function utcTime(text: string): string | undefined {
  const [, time, , , offset] = ISO_TIME.exec(text) ?? [];
  if (!ISO_TIME.test(text)) return undefined;
  const ms = Date.parse(time !== undefined && offset === undefined ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
