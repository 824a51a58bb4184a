import { isJsonObject } from '../../core/json/json-object';
import { type SweepEvent } from '../../core/tokens/token-refresh';
import { wrongValue } from '../../core/events/event-values';
import { TokenError } from '../../core/tokens/token-errors';

/**
 * Parses an event of token-sweep. Ignores other fields, which a scheduler may add.
 * @throws {TokenError} `invalid_request`, with the field, the value found and the allowed value
 */
export function parseSweepEvent(event: unknown): SweepEvent {
  if (!isJsonObject(event)) throw new TokenError('invalid_request', wrongValue('event', event, 'an object'));
  const { action } = event;
  if (action === 'sweep') return { action };
  throw new TokenError('invalid_request', wrongValue('action', action, '"sweep"'));
}
