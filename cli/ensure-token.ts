import { placeFlags } from '../core/commands/place-flags';
import { type TokenType, tokenTypeOf } from '../core/tokens/token-key';
import { type EnsureAnswer, type EnsureErrorCode, type EnsureEvent } from '../core/tokens/token-refresh';
import { type CommandContext } from './command';
import { EXIT, type ExitCode } from './exit-codes';
import { invokeFunction } from './invoke-function';
import { type Deployment } from './system';

/** token-refresh takes up to 10 s, but may serve other callers first. */
const ENSURE_TIMEOUT_MS = 30_000;

/**
 * Invokes token-refresh to ensure that the stored token is valid for long enough.
 * @param minValiditySec @default the one of token-refresh
 * @param rejectedTokenSha256 digest of a token to replace, if it is the stored one
 * @throws {CommandError} if it could not be invoked
 */
export async function ensureToken(
  { terminal: { interrupted }, system }: CommandContext,
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
    ...(rejectedTokenSha256 !== undefined && { byOperator: true }),
  };
  const timeoutMs = ENSURE_TIMEOUT_MS;
  const options = { interrupted, timeoutMs };
  const answer = await invokeFunction<EnsureAnswer>(deployment, 'token-refresh-arn', event, options);
  const { flags } = await system();
  if (answer.ok || flags === '') return answer;
  // The message may have a command, for which token-refresh does not know the flags that select the system.
  const place = placeFlags({ ...deployment, tenantId });
  const message = answer.error.message.replaceAll(place, () => `${place} ${flags}`);
  return { ...answer, error: { ...answer.error, message } };
}

/** The exit code of a command whose token could not be renewed. */
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
