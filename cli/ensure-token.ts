import { type TokenType } from '../contract/platform';
import { tokenTypeOf } from '../contract/token-key';
import { type EnsureAnswer, type EnsureErrorCode, type EnsureEvent } from '../contract/token-refresh';
import { type CommandContext } from './command';
import { EXIT, type ExitCode } from './exit-codes';
import { invokeFunction } from './invoke-function';
import { type Deployment } from './system';

/** token-refresh ends within 10 s, but may be busy for others first. */
const ENSURE_TIMEOUT_MS = 30_000;

/**
 * Asks token-refresh for a stored token that is valid for so long, and returns its answer.
 * @param minValiditySec what token-refresh takes by itself where undefined
 * @param rejectedTokenSha256 of a token that was refused: only if it is the stored one is a new one requested
 * @throws {CommandError} where it could not be asked
 */
export function ensureToken(
  { terminal: { interrupted } }: CommandContext,
  deployment: Deployment,
  tenantId: string,
  token: TokenType,
  minValiditySec?: number,
  rejectedTokenSha256?: string,
): Promise<EnsureAnswer> {
  const event: EnsureEvent = {
    action: 'ensure',
    tenantId,
    ...tokenTypeOf(token),
    minValiditySec,
    rejectedTokenSha256,
  };
  const timeoutMs = ENSURE_TIMEOUT_MS;
  return invokeFunction<EnsureAnswer>(deployment, 'token-refresh-arn', event, { interrupted, timeoutMs });
}

/** How a command ends whose token could not be renewed. */
export function ensureExitCode(code: EnsureErrorCode): ExitCode {
  switch (code) {
    case 'credential_refused':
    case 'scope_refused':
      return EXIT.refused;
    case 'platform_unavailable':
    case 'store_unavailable':
      return EXIT.unavailable;
    default:
      return EXIT.failed;
  }
}
