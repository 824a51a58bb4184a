import { type CommandContext } from '../command';
import { EXIT, type ExitCode } from '../exit-codes';
import { startCredentialWatch } from '../start-credential-watch';
import { type Style } from '../terminal';
import { type CredentialSecret, type SecretState } from './credential-secret';
import { ensureTokens, type EnsuredToken } from './ensure-tokens';
import { commandFor } from './next-command';
import { clearEndedRun } from './pending-version';
import { credentialKeyOf } from './promote-and-report';
import { stagedMeanwhile } from './stage-candidate';
import { writeVersion } from './write-version';

/**
 * Loads a proven credential where none was: it becomes current at once.
 * @throws {CommandError}
 */
export async function loadFirst(
  context: CommandContext,
  secret: CredentialSecret,
  state: SecretState,
  value: object,
): Promise<ExitCode> {
  const written = await writeVersion(context, secret, state, value, 'AWSCURRENT');
  if (written.kind === 'conflict') throw stagedMeanwhile(secret);
  // A schedule may have fired while there was nothing to rotate.
  await clearEndedRun(context, secret.uninterrupted(), state);
  return reportFirstLoad(context, secret, written.versionId);
}

/**
 * Says what was loaded, with the tokens that are to be had by it.
 * @returns 1 where not one of them could be had, although the credential is loaded
 */
export async function reportFirstLoad(
  context: CommandContext,
  secret: CredentialSecret,
  versionId: string,
): Promise<ExitCode> {
  const { chosen, kind } = secret;
  const tokens = kind === 'client-credentials' ? await ensureTokens(context, chosen) : [];
  await startCredentialWatch(context, chosen.deployment);
  const missing = tokens.filter((token) => 'problem' in token);
  context.terminal.result({ outcome: 'loaded', ...credentialKeyOf(secret), versionId, tokens }, (style) =>
    [
      `${style.good('Loaded')}: ${kind} of ${chosen.tenant.tenantId}, version ${versionId}, which is current.`,
      ...tokens.map((token) => tokenLine(token, style)),
      ...(missing.length > 0 ? ['What is missing is tried again at the next sweep, within 5 min.'] : []),
      `${style.bold('Next')}: ${commandFor(chosen, 'status')}`,
    ].join('\n'),
  );
  return tokens.length > 0 && missing.length === tokens.length ? EXIT.failed : EXIT.done;
}

function tokenLine(token: EnsuredToken, style: Style): string {
  const name = `Token ${token.interface} ${token.scope}`;
  return 'expiresAt' in token
    ? `${name}: stored, expires ${token.expiresAt}.`
    : style.warning(`${name}: missing (${token.problem}).`);
}
