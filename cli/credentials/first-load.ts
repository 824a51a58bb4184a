import { tokenName, type TokenType, tokenTypeOf } from '../../core/tokens/token-key';
import { type EnsureErrorCode } from '../../core/tokens/token-refresh';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { tenantCommand } from '../command-text';
import { ensureToken } from '../ensure-token';
import { EXIT, type ExitCode } from '../exit-codes';
import { startCredentialWatch } from '../start-credential-watch';
import { type ChosenTenant } from '../system';
import { type Style } from '../terminal';
import { announceChange } from './announce-change';
import { type LabeledSecret, type SecretState } from './labeled-secret';
import { clearEndedRotation } from './pending-version';
import { credentialKeyOf } from './promote-and-report';
import { haveKeyProven, type UnprovenKey } from './prove-key';
import { stagedMeanwhile } from './concurrent-load';
import { writeVersion } from './write-version';

/**
 * Loads the first credential of a secret: it becomes current at once.
 * @param isProven false for a credential that nobody has tested: then fetching its tokens tests it, or rotate-credentials does
 * @throws {CommandError} if the issuer refuses an unproven one, or the function cannot reach it
 */
export async function loadFirst(
  context: CommandContext,
  secret: LabeledSecret,
  state: SecretState,
  value: object,
  isProven: boolean,
): Promise<ExitCode> {
  const written = await writeVersion(context, secret, state, value, 'AWSCURRENT');
  if (written.kind === 'conflict') throw stagedMeanwhile(secret);
  // The rotation schedule may have fired while nothing was loaded.
  await clearEndedRotation(context, secret.uninterrupted(), state);
  return finishFirstLoad(context, secret, written.versionId, isProven);
}

/**
 * Fetches the tokens of a loaded credential, or has an API key proven, and reports it.
 * @returns 1 if no token could be fetched, or if the restore API does not accept the API key yet
 * @throws {CommandError} for an unproven credential, if the issuer refuses it or gives no answer
 */
export async function finishFirstLoad(
  context: CommandContext,
  secret: LabeledSecret,
  versionId: string,
  isProven = true,
): Promise<ExitCode> {
  const { chosen, kind } = secret;
  await announceChange(context, secret, 'rotated', versionId);
  const tokens = kind === 'client-credentials' ? await ensureTokens(context, chosen) : [];
  const failures = tokens.filter((token) => 'message' in token);
  const unproven = kind === 'api-key' ? await haveKeyProven(context, chosen) : undefined;
  await startCredentialWatch(context, chosen.deployment);
  if (!isProven) requireProof(secret, tokens.length, failures);
  if (!isProven && unproven !== undefined) throw keyNotProven(secret, unproven);
  const document = {
    outcome: 'loaded',
    ...credentialKeyOf(secret),
    versionId,
    tokens: tokens.map(tokenDocument),
  };
  context.terminal.result({ ...document, ...(unproven && { unproven: unproven.reason }) }, (style) =>
    [
      `${style.good('Loaded')}: ${kind} of ${chosen.tenant.tenantId}, version ${versionId} (current)`,
      ...tokens.map((token) => tokenLine(token, style)),
      ...(failures.length > 0 ? ['The next sweep, within 5 min, retries missing tokens'] : []),
      ...(unproven === undefined ? [] : [unprovenLine(unproven.reason, style)]),
      `${style.bold('Next')}: ${tenantCommand(chosen, 'status')}`,
    ].join('\n'),
  );
  const isTokenless = tokens.length > 0 && failures.length === tokens.length;
  return unproven !== undefined || isTokenless ? EXIT.failed : EXIT.done;
}

/** @throws {CommandError} if the issuer refuses a token, or none could be fetched */
function requireProof(
  { chosen, kind, issuer }: LabeledSecret,
  declared: number,
  failures: readonly Failure[],
): void {
  const refused = failures.find(({ code }) => code === 'credential_refused' || code === 'scope_refused');
  const failed = refused ?? failures[0];
  const stored = declared - failures.length;
  if (failed === undefined || (refused === undefined && stored > 0)) return;
  const reason = `${tokenName(failed.token)}: ${failed.message}`;
  const current = `They are stored and current, because they are the first; ${stored} of ${declared} tokens stored.`;
  const others = `Load others: ${tenantCommand(chosen, 'credentials put --prove-by function')}`;
  const check = `To check: ${tenantCommand(chosen, 'status')}`;
  if (refused !== undefined) {
    throw new CommandError(EXIT.refused, refused.code!, `${issuer} refuses the ${kind}: ${reason}`, {
      advice: `${current}\nEvery sweep, 5 minutes apart, tries them again. ${others}`,
    });
  }
  throw new CommandError(EXIT.unavailable, 'could_not_test', `the ${kind} could not be tested: ${reason}`, {
    advice: `${current}\nEvery sweep, 5 minutes apart, tries them. ${check}\nIf they are refused then: ${others}`,
  });
}

function keyNotProven({ chosen, kind }: LabeledSecret, { reason, isRefused }: UnprovenKey): CommandError {
  const [exitCode, code, says] = isRefused
    ? ([EXIT.refused, 'credential_refused', 'is refused'] as const)
    : ([EXIT.unavailable, 'could_not_test', 'could not be tested'] as const);
  const other = `If it is of no use, load another one: ${tenantCommand(chosen, 'api-key put --prove-by function')}`;
  return new CommandError(exitCode, code, `the ${kind} ${says}: ${reason}`, {
    advice: `It is stored and current, because it is the first, and opens nothing.\nLatchkey tries it again every 5 min. To check: ${tenantCommand(chosen, 'status')}\n${other}`,
  });
}

/** Why a token could not be fetched; without a code if token-refresh could not be invoked. */
interface Failure {
  token: TokenType;
  code?: EnsureErrorCode;
  message: string;
}

type EnsuredToken = { token: TokenType; expiresAt: string } | Failure;

/** Has each token of the tenant renewed, one by one: token-refresh runs one at a time. */
async function ensureTokens(context: CommandContext, chosen: ChosenTenant): Promise<EnsuredToken[]> {
  const ensured: EnsuredToken[] = [];
  const progress = context.terminal.progress('Fetching the tokens');
  for (const declared of chosen.tenant.tokens) {
    const token = tokenTypeOf(declared);
    progress.update(`Fetching the token ${tokenName(token)}`);
    ensured.push(await ensureOne(context, chosen, token));
  }
  const stored = ensured.filter((token) => 'expiresAt' in token).length;
  const label = `${stored} of ${ensured.length} tokens stored`;
  if (stored === ensured.length) progress.done(label);
  else progress.failed(label);
  return ensured;
}

async function ensureOne(
  context: CommandContext,
  { deployment, tenant }: ChosenTenant,
  token: TokenType,
): Promise<EnsuredToken> {
  try {
    const answer = await ensureToken(context, deployment, tenant.tenantId, token);
    return answer.ok ? { token, expiresAt: answer.expiresAt } : { token, ...answer.error };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { token, message: error.message };
  }
}

function tokenDocument(ensured: EnsuredToken): object {
  const { token } = ensured;
  return 'expiresAt' in ensured
    ? { ...token, expiresAt: ensured.expiresAt }
    : { ...token, problem: problemText(ensured) };
}

function problemText({ code, message }: Failure): string {
  return code === undefined ? message : `${code}: ${message}`;
}

function unprovenLine(reason: string, style: Style): string {
  return style.warning(
    `The restore API does not accept the key yet (${reason}). Latchkey tries it again within 5 min, and then every 5 min.`,
  );
}

function tokenLine(ensured: EnsuredToken, style: Style): string {
  const name = `Token ${tokenName(ensured.token)}`;
  return 'expiresAt' in ensured
    ? `${name}: stored, expires at ${ensured.expiresAt}`
    : style.warning(`${name}: missing (${problemText(ensured)})`);
}
