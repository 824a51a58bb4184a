import { dirname } from 'node:path';

import { type CommandContext } from './command';
import { shellWord } from '../core/commands/shell-word';
import { EXIT, type ExitCode } from './exit-codes';
import { laptopOf } from './open-local-system';
import { fishWord } from './shells';
import { type FlagsOf } from './options';

type LocalEnvFlags = FlagsOf<'shell' | 'administrator'>;

/** Would take precedence over the key, or be sent with it. */
const UNSET = ['AWS_PROFILE', 'AWS_SESSION_TOKEN'];

/**
 * `latchkey local env`: prints the environment variables with which other programs use the laptop system.
 * @throws {CommandError}
 */
export async function printLocalEnv(context: CommandContext, flags: LocalEnvFlags): Promise<ExitCode> {
  const { run, caFile } = laptopOf(await context.system());
  const { accessKeyId, secretAccessKey } = flags.administrator === true ? run.aws : run.operator;
  const variables = {
    AWS_ENDPOINT_URL: run.aws.endpoint,
    AWS_REGION: run.aws.region,
    AWS_DEFAULT_REGION: run.aws.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    SSL_CERT_FILE: caFile,
    CURL_CA_BUNDLE: caFile,
    REQUESTS_CA_BUNDLE: caFile,
    NODE_EXTRA_CA_CERTS: caFile,
    // For the command in other folders.
    LATCHKEY_STATE_DIR: dirname(caFile),
  };
  const isFish = flags.shell === 'fish';
  context.terminal.result(variables, () =>
    [
      ...UNSET.map((name) => (isFish ? `set --erase ${name}` : `unset ${name}`)),
      ...Object.entries(variables).map(([name, value]) =>
        isFish ? `set --global --export ${name} ${fishWord(value)}` : `export ${name}=${shellWord(value)}`,
      ),
    ].join('\n'),
  );
  return EXIT.done;
}
