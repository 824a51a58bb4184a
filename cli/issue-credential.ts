import { LEARNING_PLATFORM } from '../core/issuers/learning-platform';
import { credentialRequest, isOwnIssuer } from '../core/deployment/local-run';
import { parseJsonObject } from '../core/json/json-object';
import { HttpsError, type HttpsAnswer } from '../lambdas/shared/adapters/https-client';
import { pickTenant, chosenTenantKey } from './choose-tenant';
import { type CommandContext, type TenantFlags } from './command';
import { CommandError, usageError } from './command-error';
import { tenantCommand } from './command-text';
import { EXIT, type ExitCode } from './exit-codes';
import { laptopOf } from './open-local-system';
import { type ChosenTenant } from './system';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** What the sandbox issues: the path of its control API, and the commands that make and load it. */
const ISSUED = {
  credentials: { make: 'local new-credentials', load: 'credentials put' },
  'api-keys': { make: 'local new-api-key', load: 'api-key put' },
  sessions: { make: 'local new-session', load: 'api-key generate' },
} as const;

/**
 * `latchkey local new-…`: has the sandbox issue what support or an administrator would, for the command that loads it.
 * It is a secret, so it goes to a pipe or file, and never to a terminal.
 * @throws {CommandError}
 */
export async function issueCredential(
  context: CommandContext,
  kind: keyof typeof ISSUED,
  flags: TenantFlags,
): Promise<ExitCode> {
  const { terminal } = context;
  const chosen = await pickTenant(context, flags);
  const { issuer } = chosen.deployment;
  if (issuer !== undefined && kind !== 'credentials') {
    throw usageError('--issuer', issuer, LEARNING_PLATFORM.name);
  }
  if (isOwnIssuer({ issuer, platform: chosen.deployment.issuing.platform })) {
    throw usageError(
      '--issuer',
      `${issuer}, an issuer of your own`,
      'an issuer that the sandbox serves',
      `To load a credential that yours issued: ${tenantCommand(chosen, ISSUED.credentials.load)}`,
    );
  }
  if (terminal.showsOutputToPerson) {
    throw usageError(
      'standard output',
      'a terminal',
      'a pipe or a file, so that the secret stays off the screen',
      `To load it:\n  ${pipeFor(chosen, kind)}`,
    );
  }
  const issued = await requestFromSandbox(chosen, kind);
  terminal.result(issued, () => JSON.stringify(issued));
  return EXIT.done;
}

/** The commands that make a credential and load it, ready to copy. */
function pipeFor(chosen: ChosenTenant, kind: keyof typeof ISSUED): string {
  const { make, load } = ISSUED[kind];
  // A `local` command is local without the flag.
  const system = { ...chosen.system, flags: chosen.system.flags.replace(/^--local ?/, '') };
  return `${tenantCommand({ ...chosen, system }, make)} | ${tenantCommand(chosen, load)}`;
}

async function requestFromSandbox(
  chosen: ChosenTenant,
  kind: keyof typeof ISSUED,
): Promise<Record<string, unknown>> {
  const { system } = chosen;
  const tenant = chosenTenantKey(chosen);
  const { path, body } =
    kind === 'credentials' ? credentialRequest(tenant) : { path: `/${kind}`, body: tenant };
  let answer: HttpsAnswer;
  try {
    answer = await system.sendRequest({
      url: new URL(`${laptopOf(system).run.sandboxControl}${path}`),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      connectTimeoutMs: TIMEOUT_MS,
      totalTimeoutMs: TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
  } catch (error) {
    if (!(error instanceof HttpsError)) throw error;
    throw notIssued(error.message);
  }
  const issued = answer.status === 201 ? parseJsonObject(answer.body) : undefined;
  if (issued === undefined) throw notIssued(`it answered ${answer.status}`);
  return issued;
}

function notIssued(reason: string): CommandError {
  return new CommandError(EXIT.unavailable, 'sandbox_unavailable', `the sandbox issued nothing: ${reason}`);
}
