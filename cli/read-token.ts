import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type TokenValue } from '../core/secrets/secret-values';
import { type TokenKey, tokenKeyOf, tokenName } from '../core/tokens/token-key';
import { parseTokenValue } from '../core/tokens/token-value';
import { callAws } from './call-aws';
import { type ChosenToken, chosenTenantKey } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError } from './command-error';
import { tenantCommand } from './command-text';
import { EXIT } from './exit-codes';

/** Reads a stored token with the caller's own permissions. @throws {CommandError} if there is none, or it is malformed */
export async function readToken(
  { terminal }: CommandContext,
  chosen: ChosenToken,
): Promise<TokenValue<TokenKey>> {
  const { deployment, token } = chosen;
  const { interrupted } = terminal;
  const call = { action: 'secretsmanager:GetSecretValue', resource: token.secretId, deployment, interrupted };
  const { SecretString } = await callAws(call, (options) =>
    deployment.secretsManager.send(new GetSecretValueCommand({ SecretId: token.secretId }), options),
  );
  const value = parseTokenValue(SecretString ?? '', tokenKeyOf(chosenTenantKey(chosen), token));
  if (value === undefined) throw noToken(chosen, 'malformed');
  return value;
}

/** The error for a token that is missing or unreadable. */
export function noToken(chosen: ChosenToken, access: string): CommandError {
  const why = access === 'ok' ? 'none is stored' : access;
  return new CommandError(EXIT.failed, 'no_token', `no token ${tokenName(chosen.token)}: ${why}`, {
    advice: `To find out why: ${tenantCommand(chosen, 'doctor')}`,
  });
}
