import { type CommandContext } from '../command';
import { type ExitCode } from '../exit-codes';
import { CLIENT_CREDENTIALS_FIELDS, readFields } from './credential-input';
import { loadCredential, type LoadFlags } from './load-credential';

export type PutFlags = LoadFlags;

/**
 * `latchkey credentials put`: loads a client id and secret that the platform's support sent.
 * @throws {CommandError}
 */
export function putCredentials(context: CommandContext, flags: PutFlags): Promise<ExitCode> {
  return loadCredential(context, flags, 'client-credentials', async (terminal) => ({
    kind: 'client-credentials',
    value: await readFields(terminal, CLIENT_CREDENTIALS_FIELDS),
  }));
}
