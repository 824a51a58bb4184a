import { CommandError, foundText } from './command-error';
import { EXIT } from './exit-codes';
import { switchFlags } from './options';

/** Commands that take a secret, with the number of words that may follow. Any further word may be the secret. */
const TAKE_SECRETS = { 'credentials put': 0, 'api-key generate': 0, 'api-key put': 0, 'issuer test': 1 };

const SECRET_FLAG =
  /^--?(x-?)?((client|session|admin|access|refresh|bearer)-?)?(secret|secret-?key|id|pass|password|passphrase|token|bearer|auth|authorization|api-?key|key|credentials?|correlation-?id|session|cookie|value|header)$/i;

/** Values that are secrets in any position: header values, JSON with a secret field, assignments, JSON web tokens. */
const SECRET_VALUES = [
  /\b(bearer|basic)\s+\S/i,
  /\b(client_?-?(secret|id)|api_?-?key|access_?-?token|authorization|(x-)?correlation-?id|password|secret)["']?\s*[:=]/i,
  /\beyJ[\w-]{8,}\./,
];

/**
 * Refuses secrets on the command line, which end up in the shell's history and the process list.
 * @param args without Node and the script
 * @throws {CommandError} with exit code 64; does not quote the secret
 */
export function refuseSecretArguments(args: readonly string[]): void {
  const place = findSecret(args);
  if (place === undefined) return;
  throw new CommandError(
    EXIT.secretInArguments,
    'secret_in_arguments',
    foundText(place, 'what looks like a secret', 'secrets from the hidden prompt or standard input only'),
    {
      advice:
        'It is now in your shell’s history, and was in the process list: replace it. ' +
        'Enter the new one at the prompt, or pipe it from a password manager:\n' +
        '  your-password-manager … | latchkey credentials put',
    },
  );
}

/** The place of a secret: the name of its flag, or the number of the argument. */
function findSecret(args: readonly string[]): string | undefined {
  const switches = switchFlags();
  const words: string[] = [];
  let isValue = false;
  for (const [index, argument] of args.entries()) {
    const place = `argument ${index + 1}`;
    const flag = argument.split('=', 1)[0]!;
    const next = args[index + 1];
    const hasValue = flag !== argument || (next !== undefined && !next.startsWith('--'));
    if (SECRET_FLAG.test(flag) && hasValue) return flag;
    if (SECRET_VALUES.some((pattern) => pattern.test(argument))) return place;
    if (/^(bearer|basic)$/i.test(argument) && next !== undefined) return place;
    if (argument.startsWith('-')) {
      // Assume that an unknown flag takes a value: a misspelled --tenant exposes nothing.
      isValue = flag === argument && !switches.includes(flag);
    } else if (isValue) {
      isValue = false;
    } else {
      words.push(argument);
      const command = words.slice(0, 2).join(' ') as keyof typeof TAKE_SECRETS;
      if (Object.hasOwn(TAKE_SECRETS, command) && words.length - 2 > TAKE_SECRETS[command]) return place;
    }
  }
  return undefined;
}
