import { type TokenType } from '../../contract/platform';
import { tokenTypeOf } from '../../contract/token-key';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { ensureToken } from '../ensure-token';
import { type ChosenTenant } from '../system';

export type EnsuredToken = TokenType & ({ expiresAt: string } | { problem: string });

/** Has each declared token of the tenant renewed, one after the other: token-refresh runs one at a time. */
export async function ensureTokens(
  context: CommandContext,
  { deployment, tenant }: ChosenTenant,
): Promise<EnsuredToken[]> {
  const ensured: EnsuredToken[] = [];
  const progress = context.terminal.progress('Fetching the tokens');
  for (const declared of tenant.tokens) {
    const token = tokenTypeOf(declared);
    progress.update(`Fetching the token ${token.interface} ${token.scope}`);
    ensured.push({ ...token, ...(await ensureOne(token)) });
  }
  const had = ensured.filter((token) => 'expiresAt' in token).length;
  const label = `${had} of ${ensured.length} tokens are there`;
  if (had === ensured.length) progress.done(label);
  else progress.failed(label);
  return ensured;

  async function ensureOne(token: TokenType): Promise<{ expiresAt: string } | { problem: string }> {
    try {
      const answer = await ensureToken(context, deployment, tenant.tenantId, token);
      return answer.ok
        ? { expiresAt: answer.expiresAt }
        : { problem: `${answer.error.code}: ${answer.error.message}` };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { problem: error.message };
    }
  }
}
