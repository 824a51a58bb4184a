import { type Threat } from './threat';

/** What other programs on the machines of operators and developers can try. */
export const AT_THE_DESK: readonly Threat[] = [
  {
    id: 'T14',
    name: 'Secrets on an operator’s machine',
    assets: ['admin sessions', 'client secrets', 'API keys'],
    attackers: ['local process'],
    boundary: 'operators',
    abuse:
      'A secret that an operator enters is visible in arguments, shell history, environment, temporary files or output.',
    control:
      'Secrets come from a hidden prompt or standard input. Arguments that look like one are refused with exit code 64, and are not repeated. A new key goes straight to Secrets Manager.',
    proofs: {
      'test/journeys/command-canaries.test.ts': [
        'every command, with valid and invalid credentials › shows no credential except the access keys in local.json and the token that a command is asked to reveal',
        'every command, with valid and invalid credentials › exits as expected in every run, so that each command was exercised',
      ],
      'test/cli/argument-secrecy.test.ts': [
        'a secret in the arguments › is never printed, whatever its position',
      ],
      'test/cli/secret-arguments.test.ts': [
        'secrets in the arguments › are refused with exit code 64, and not printed: %j',
      ],
    },
    holes: {
      'test/journeys/command-canaries.test.ts': [
        'every command, with valid and invalid credentials › detects a leak through every channel of the command',
      ],
    },
    remains:
      'A secret in an argument is already in the shell’s history when the command refuses it. A process of the same user can read the command’s memory.',
  },
];
