import { type InterfaceScope } from '../../contract/platform';
import { type EnsureAnswer, type EnsureEvent } from '../../contract/token-refresh';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { invokeFunction } from '../invoke-function';
import { type Target } from '../system';

/** token-refresh ends within 10 s, and may be busy for others before. */
const ENSURE_TIMEOUT_MS = 30_000;

export type EnsuredToken = InterfaceScope & ({ expiresAt: string } | { problem: string });

/** Has each declared token of the tenant renewed, one after the other: token-refresh runs one at a time. */
export async function ensureTokens(
  { terminal }: CommandContext,
  { deployment, tenant }: Target,
): Promise<EnsuredToken[]> {
  const ensured: EnsuredToken[] = [];
  const progress = terminal.progress('Fetching the tokens');
  for (const declared of tenant.tokens) {
    const token = { interface: declared.interface, scope: declared.scope } as InterfaceScope;
    progress.update(`Fetching the token ${token.interface} ${token.scope}`);
    ensured.push({
      ...token,
      ...(await ensureOne({ action: 'ensure', tenantId: tenant.tenantId, ...token })),
    });
  }
  const had = ensured.filter((token) => 'expiresAt' in token).length;
  const label = `${had} of ${ensured.length} tokens are there`;
  if (had === ensured.length) progress.done(label);
  else progress.failed(label);
  return ensured;

  async function ensureOne(event: EnsureEvent): Promise<{ expiresAt: string } | { problem: string }> {
    try {
      const options = { interrupted: terminal.interrupted, timeoutMs: ENSURE_TIMEOUT_MS };
      const answer = await invokeFunction<EnsureAnswer>(deployment, 'token-refresh-arn', event, options);
      return answer.ok
        ? { expiresAt: answer.expiresAt }
        : { problem: `${answer.error.code}: ${answer.error.message}` };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { problem: error.message };
    }
  }
}
