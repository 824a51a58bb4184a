import { type CommandContext } from '../command';
import { type ExitCode } from '../exit-codes';
import { API_KEY_FIELDS, readFields } from './credential-input';
import { loadCredential, type LoadFlags } from './load-credential';
import { utcTime } from './utc-time';

export type PutApiKeyFlags = LoadFlags;

/**
 * `latchkey api-key put`: loads an API key that was generated elsewhere.
 * @throws {CommandError}
 */
export function putApiKey(context: CommandContext, flags: PutApiKeyFlags): Promise<ExitCode> {
  return loadCredential(context, flags, 'api-key', async (terminal) => {
    const { apiKey, validUntil } = await readFields(terminal, API_KEY_FIELDS);
    return { kind: 'api-key', value: { apiKey, validUntil: utcTime(validUntil)! } };
  });
}
