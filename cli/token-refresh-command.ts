import { sha256Hex } from '../core/secrets/sha256';
import { DUE_BELOW_SEC } from '../core/tokens/lifetimes';
import { tokenKeyOf, tokenName } from '../core/tokens/token-key';
import { type EnsureFailure } from '../core/tokens/token-refresh';
import { spanText } from '../core/findings/times';
import { pickTenant, pickToken, type ChosenToken, chosenTenantKey, type TokenFlags } from './choose-tenant';
import { type CommandContext } from './command';
import { usageError } from './command-error';
import { tenantCommand } from './command-text';
import { ensureExitCode, ensureToken } from './ensure-token';
import { EXIT, type ExitCode } from './exit-codes';
import { readToken } from './read-token';
import { type Style } from './terminal';
import { type FlagsOf } from './options';

type TokenRefreshFlags = TokenFlags & FlagsOf<'all' | 'replace:token'>;

type Refreshed = { chosen: ChosenToken } & (
  { expiresAt: string; refreshed: boolean; failure?: undefined } | { failure: EnsureFailure }
);

/**
 * `latchkey token refresh`: renews a tenant's token, or all of them, if it expires soon. It does not replace a longer-lived
 * token of a retired credential; the sweep does. With `--replace`, it reports the stored token as rejected.
 * @throws {CommandError}
 */
export async function refreshTokens(context: CommandContext, flags: TokenRefreshFlags): Promise<ExitCode> {
  const { terminal, nowMs } = context;
  const tokens = await chooseTokens(context, flags);
  const results: Refreshed[] = [];
  const progress = terminal.progress('Running token-refresh');
  try {
    // One by one: token-refresh runs one at a time.
    for (const chosen of tokens) {
      progress.update(`Running token-refresh for ${tokenName(chosen.token)}`);
      results.push(await refresh(context, chosen, flags.replace === true));
    }
  } catch (error) {
    progress.failed('Could not run token-refresh');
    throw error;
  }
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  if (failed === 0) progress.done('All tokens are valid');
  else progress.failed(`${failed} of ${results.length} tokens failed`);
  terminal.result({ tokens: results.map(documentOf) }, (style) =>
    results.map((result) => lineOf(result, nowMs(), style)).join('\n'),
  );
  return Math.max(
    ...results.map(({ failure }) => (failure === undefined ? EXIT.done : ensureExitCode(failure.code))),
  ) as ExitCode;
}

async function chooseTokens(context: CommandContext, flags: TokenRefreshFlags): Promise<ChosenToken[]> {
  if (flags.all !== true) return [await pickToken(context, flags)];
  if (flags.interface !== undefined || flags.scope !== undefined) {
    throw usageError('--all', 'with --interface or --scope', '--all alone');
  }
  const chosen = await pickTenant(context, flags);
  return chosen.tenant.tokens.map((token) => ({ ...chosen, token }));
}

async function refresh(context: CommandContext, chosen: ChosenToken, replaces: boolean): Promise<Refreshed> {
  const { deployment, tenant, token } = chosen;
  const rejected = replaces ? sha256Hex((await readToken(context, chosen)).accessToken) : undefined;
  const answer = await ensureToken(context, deployment, tenant.tenantId, token, DUE_BELOW_SEC, rejected);
  if (!answer.ok) return { chosen, failure: answer.error };
  return { chosen, expiresAt: answer.expiresAt, refreshed: answer.refreshed };
}

function documentOf({ chosen, ...outcome }: Refreshed): object {
  const key = tokenKeyOf(chosenTenantKey(chosen), chosen.token);
  if (outcome.failure !== undefined) return { ...key, ok: false, error: outcome.failure };
  return { ...key, ok: true, expiresAt: outcome.expiresAt, refreshed: outcome.refreshed };
}

function lineOf(result: Refreshed, nowMs: number, style: Style): string {
  const name = tokenName(result.chosen.token);
  if (result.failure === undefined) {
    const left = spanText(Date.parse(result.expiresAt) - nowMs);
    return `${style.good('✓')} ${name}: ${result.refreshed ? 'renewed' : 'still valid'}, expires in ${left} (${result.expiresAt})`;
  }
  const { code, message } = result.failure;
  return `${style.bad('✗')} ${name}: ${code}, ${message}\n  ${tenantCommand(result.chosen, 'doctor')}`;
}
