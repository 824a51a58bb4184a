import { tokenTypeOf } from '../../core/tokens/token-key';
import { type EnsureAnswer } from '../../core/tokens/token-refresh';
import { TokenError } from '../../core/tokens/token-errors';
import { type Log } from '../shared/ports';
import { type EnsureRequest } from './ensure-event';
import { refreshToken, type RefreshTokenPorts, renewalDeadlineMs } from './refresh-token';

/**
 * Makes sure that a usable token is stored. The answer does not contain the token.
 * @param endsAtMs latest time to answer, in ms by the monotonic clock
 */
export async function ensure(
  ports: RefreshTokenPorts & { log: Log },
  request: EnsureRequest,
  endsAtMs: number,
): Promise<EnsureAnswer> {
  const { clock, log } = ports;
  const { key, ...required } = request;
  const fields = { tenantId: key.tenantId, ...tokenTypeOf(key) };
  const deadlineMs = renewalDeadlineMs(clock, endsAtMs);
  try {
    const outcome = await refreshToken(ports, key, { ...required, deadlineMs });
    const expiresAt = new Date(outcome.expiresAtMs).toISOString();
    if (outcome.failure !== undefined) {
      const message = outcome.refreshed
        ? 'token renewed with the former credential'
        : 'token not renewed, the stored one still serves';
      log.warn(message, {
        ...fields,
        code: outcome.failure.code,
        detail: outcome.failure.message,
      });
    } else if (outcome.refreshed) {
      log.info('token renewed', { ...fields, expiresAt });
    }
    return {
      ok: true,
      arn: outcome.arn,
      versionId: outcome.versionId,
      expiresAt,
      refreshed: outcome.refreshed,
    };
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    log.error('no usable token', { ...fields, code: error.code, detail: error.message });
    return { ok: false, error: describeFailure(error) };
  }
}

/** Converts a failure to the format of the contract. */
export function describeFailure({ code, message, retryAfterMs }: TokenError) {
  return {
    code,
    message,
    ...(retryAfterMs === undefined ? {} : { retryAfterSec: Math.ceil(retryAfterMs / 1000) }),
  };
}
