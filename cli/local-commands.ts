import { command, type CommandDefinition } from './command';
import { OPTION_SETS } from './options';
import { programCommand } from './program-commands';

const { tenant, output } = OPTION_SETS;
const ISSUE_OPTIONS = [...tenant, 'stateDir', ...output] as const;
const ISSUE_DETAILS = 'Prints one JSON object to a pipe or a file, never to a terminal: it is a secret.';
const issuing = () => import('./issue-credential.js');

/** The commands for the laptop system only. */
export const LOCAL_COMMANDS: Record<string, CommandDefinition> = {
  'local start': programCommand(
    'start',
    {
      summary: 'run the cloud assembly of a CDK app on this machine, against a sandbox of the platform',
      details:
        'Acts as `npm start` does in a checkout: loads credentials, fetches all tokens, and serves until Ctrl-C. The sandbox takes ' +
        'the place of the platform’s addresses, so nothing leaves this machine. Resources of types that the laptop does ' +
        'not have are named in a warning, and have no effect. There is no --config: `npx cdk synth` makes the assembly of one.',
      options: [
        'assembly',
        'once',
        'fault',
        'job',
        'port:endpoint',
        'sandboxPort',
        'consolePort',
        'stateDir:run',
        'verbose',
      ],
      examples: [
        'local start --assembly cdk.out',
        'local start --assembly cdk.out/assembly-Staging --once',
        'local start --assembly cdk.out --once --fault \'{"target":"token","status":500,"times":1}\'',
      ],
    },
    { 'stateDir:run': 'LATCHKEY_STATE_DIR' },
  ),
  'local env': command({
    summary: 'print environment variables for other programs that use the laptop system',
    details:
      'The access key is an operator’s. Evaluate the lines in a shell of its own: curl and Python then trust only the ' +
      'laptop’s certificates.',
    options: ['shell', 'administrator', 'stateDir', ...output],
    examples: ['local env', 'local env --shell fish', 'local env --administrator --json'],
    isLocal: true,
    run: async (context, flags) => (await import('./local-env-command.js')).printLocalEnv(context, flags),
  }),
  'local new-credentials': command({
    summary: 'have the sandbox issue a client id and secret',
    details: ISSUE_DETAILS,
    options: ISSUE_OPTIONS,
    examples: ['local new-credentials | latchkey credentials put --local'],
    isLocal: true,
    run: async (context, flags) => (await issuing()).issueCredential(context, 'credentials', flags),
  }),
  'local new-api-key': command({
    summary: 'have the sandbox issue an API key',
    details: ISSUE_DETAILS,
    options: ISSUE_OPTIONS,
    examples: ['local new-api-key | latchkey api-key put --local'],
    isLocal: true,
    run: async (context, flags) => (await issuing()).issueCredential(context, 'api-keys', flags),
  }),
  'local new-session': command({
    summary: 'have the sandbox sign in a site administrator, for api-key generate',
    details: ISSUE_DETAILS,
    options: ISSUE_OPTIONS,
    examples: ['local new-session | latchkey api-key generate --local'],
    isLocal: true,
    run: async (context, flags) => (await issuing()).issueCredential(context, 'sessions', flags),
  }),
};
