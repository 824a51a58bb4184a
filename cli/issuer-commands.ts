import { command, type CommandDefinition } from './command';
import { OPTION_SETS } from './options';

const { output } = OPTION_SETS;

/** The commands for issuers and their profiles. They use no deployment. */
export const ISSUER_COMMANDS: Record<string, CommandDefinition> = {
  'issuer list': command({
    summary: 'show the issuers that Latchkey has a profile of',
    details:
      'Shows how each takes requests, how long its tokens are valid, and whether its address, request, answer and errors are ' +
      'documented, seen or assumed.',
    options: output,
    examples: ['issuer list', 'issuer list --json'],
    run: async (context) => (await import('./issuer/list-issuers.js')).listIssuers(context),
  }),
  'issuer test': command({
    summary: 'request one token from an issuer, and compare its answer with the profile',
    details:
      'Asks for what the flags do not say, and for client id and secret without echo; without a terminal, it reads ' +
      '{"clientId","clientSecret"} from standard input. Shows the request without secrets and the answer without the token, ' +
      'where the answer differs from the profile, and the corrected profile. Nothing is stored. Exits with 1 if something ' +
      'differs, with 77 if the issuer refuses, and with 69 if it gives no usable answer.',
    argument: { name: '[issuer]', description: 'name of a profile, or path of one that ends with .json' },
    options: [
      'environment',
      'platformRegion',
      'tenant',
      'interface',
      'scope',
      'parameter',
      'tokenBaseUrl',
      'twice',
      ...output,
    ],
    examples: [
      'issuer test auth0',
      'issuer test ./example.json --twice',
      'issuer test auth0 --parameter host=acme.eu.auth0.com --parameter audience=https://api.example.com --scope read:users',
    ],
    run: async (context, flags) => (await import('./issuer/test-issuer.js')).testIssuer(context, flags),
  }),
  'issuer new': command({
    summary: 'write the profile of another issuer',
    details:
      'Asks for what the issuer’s documents say: the address, the request, scopes and the answer. Checks the profile, and writes ' +
      'it with the schema for editors beside it. It replaces no profile.',
    options: output,
    examples: ['issuer new'],
    run: async (context) => (await import('./issuer/new-profile.js')).newProfile(context),
  }),
};
