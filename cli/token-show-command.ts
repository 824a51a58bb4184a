import { deploymentText, isSameTokenType, tokenKeyOf, tokenName } from '../core/tokens/token-key';
import { spanText } from '../core/findings/times';
import { versionWith } from '../core/findings/versions';
import { pickToken, type ChosenToken, chosenTenantKey, type TokenFlags } from './choose-tenant';
import { type CommandContext } from './command';
import { usageError } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import { takenAtMs, takeSnapshot } from './inspect-deployments';
import { noToken, readToken } from './read-token';
import { type FlagsOf } from './options';

type TokenShowFlags = TokenFlags & FlagsOf<'reveal'>;

/**
 * `latchkey token show`: shows a token's metadata, or with `--reveal` only the token itself.
 * @throws {CommandError}
 */
export async function showToken(context: CommandContext, flags: TokenShowFlags): Promise<ExitCode> {
  const { terminal } = context;
  const isRevealed = flags.reveal === true;
  if (isRevealed && !terminal.showsOutputToPerson) {
    throw usageError(
      '--reveal',
      'standard output that is not a terminal',
      'a terminal, so that the token stays out of files and logs',
      'Services read the secret themselves, with their own permissions.',
    );
  }
  const chosen = await pickToken(context, flags);
  if (isRevealed) {
    const { accessToken } = await readToken(context, chosen);
    terminal.result({ accessToken }, () => accessToken);
    return EXIT.done;
  }
  const { document, lines } = await describeToken(context, chosen);
  terminal.result(document, () => lines.join('\n'));
  return EXIT.done;
}

async function describeToken(
  context: CommandContext,
  chosen: ChosenToken,
): Promise<{ document: object; lines: string[] }> {
  const { deployment, tenant, token } = chosen;
  const snapshot = await takeSnapshot(context, { deployment, tenantIds: [tenant.tenantId] });
  const inspected = snapshot.tenants.find(({ tenantId }) => tenantId === tenant.tenantId);
  const stored = inspected?.tokens.find((each) => isSameTokenType(each, token));
  if (stored?.access !== 'ok' || stored.token === undefined)
    throw noToken(chosen, stored?.access ?? 'missing');
  const { versionId, issuedAt, expiresAt, credentialVersionId, refusedCredentialVersionId } = stored.token;
  const credential = inspected?.credentials.find(({ kind }) => kind === 'client-credentials');
  const current = credential?.access === 'ok' ? versionWith(credential.versions, 'AWSCURRENT') : undefined;
  const isOfCurrentCredential = current?.versionId === credentialVersionId;
  const isCurrentRefused = current !== undefined && current.versionId === refusedCredentialVersionId;
  const reason = isCurrentRefused
    ? '(the former one: the issuer refuses the current one)'
    : '(no longer current: the next sweep replaces the token)';
  const leftMs = Date.parse(expiresAt) - takenAtMs(snapshot);
  return {
    document: {
      ...tokenKeyOf(chosenTenantKey(chosen), token),
      secretId: stored.secretId,
      versionId,
      issuedAt,
      expiresAt,
      lifeLeftSec: Math.floor(leftMs / 1000),
      credentialVersionId,
      isOfCurrentCredential,
    },
    lines: [
      `${tokenName(token)} of ${tenant.tenantId}, ${deploymentText(deployment)}`,
      `  secret      ${stored.secretId}, version ${versionId}`,
      `  issued      ${issuedAt}`,
      `  expires     ${expiresAt}, ${leftMs > 0 ? `in ${spanText(leftMs)}` : `${spanText(-leftMs)} ago`}`,
      `  credential  version ${credentialVersionId} ${isOfCurrentCredential ? '(current)' : reason}`,
    ],
  };
}
