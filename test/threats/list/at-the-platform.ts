import { type Threat } from './threat';

/** What a hostile or broken platform, or an address that is not the platform’s, can try. */
export const AT_THE_PLATFORM: readonly Threat[] = [
  {
    id: 'T1',
    name: 'Redirected requests',
    assets: ['client secrets', 'API keys', 'access tokens', 'admin sessions'],
    attackers: ['hostile platform'],
    boundary: 'platform',
    abuse:
      'The platform answers a request with a redirect, and the client sends the secret in its body or headers to another server.',
    control: 'No client follows a redirect. A 3xx is an error, and every request requires https.',
    proofs: {
      'test/threats/redirects.test.ts': [
        'T1: the server that a redirect names gets no connection and no byte › from %s that is answered with %i',
      ],
      'test/lambdas/shared/adapters/https-client.test.ts': [
        'T1: a redirect › with status %d is returned, never followed',
      ],
      'test/lambdas/rotate-credentials/handler.test.ts': [
        'the function, bundled, with a secret of %s › T1: sends a credential to no other server, whatever the platform says',
      ],
      'test/journeys/threats.test.ts': [
        'T1: a redirect of the platform › to %s gets no token request',
        'T1: a redirect of the platform › to %s gets no restore request',
      ],
    },
    holes: {
      'test/threats/redirects.test.ts': [
        'T1: the server that a redirect names gets no connection and no byte › from %s: turns red when the transport follows redirects',
      ],
    },
    remains:
      'A caller who uses `getToken` with an HTTP client of its own decides itself about redirects; `authorizedFetch` follows none.',
  },
  {
    id: 'T2',
    name: 'Requests to a hostile address',
    assets: ['client secrets', 'access tokens'],
    attackers: ['operator', 'hostile platform'],
    boundary: 'synthesis',
    abuse:
      'An address of the platform in the configuration, or in a deployment file that was changed, names the metadata service, a private host or an attacker’s server.',
    control:
      'Addresses are https without user info, port or IP literal. Synthesis and every function refuse others; only a local configuration may use loopback.',
    proofs: {
      'test/threats/hostile-urls.test.ts': [
        'T2: the tests cover at least 60 addresses',
        'T2: synthesis rejects a hostile address › as %s, for every address',
        'T2: synthesis rejects a hostile address › as %s of a configuration marked local, except on loopback',
        'T2: functions reject a hostile address in a deployment file that was changed after synthesis › as %s, for every address',
        'T2: a function with such a deployment file sends nothing › %s',
      ],
      'test/journeys/threats.test.ts': ['T2: a system whose platform is %s does not start'],
    },
    holes: {
      'test/threats/hostile-urls.test.ts': [
        'T2: synthesis rejects a hostile address › turns red when every address is accepted',
        'T2: functions reject a hostile address in a deployment file that was changed after synthesis › turns red when every address is accepted',
        'T2: a function with such a deployment file sends nothing › turns red when the address passes the check',
      ],
    },
    remains:
      'A name that resolves to a private address is not refused; its server would need a certificate for that name. A principal that may change the code of a function may send its secrets anywhere.',
    decisions: [20],
  },
  {
    id: 'T7',
    name: 'Leaks by errors, logs and answers',
    assets: ['client secrets', 'API keys', 'access tokens', 'admin sessions'],
    attackers: ['log reader', 'hostile platform', 'local process'],
    boundary: 'platform',
    abuse:
      'An error object with the request in it, an echo of the platform or a misplaced credential reaches a log, a metric, an answer or a file.',
    control:
      'Errors are built from an allowed list of fields. Log lines have named fields only. Bodies of the platform are never quoted.',
    proofs: {
      'test/journeys/canaries.test.ts': [
        'a running system in which every input, error and log contains credentials › shows no credential except the access keys in local.json',
        'a running system in which every input, error and log contains credentials › used every planted credential where it was planted',
      ],
      'test/fuzz/handlers.test.ts': [
        'for any request and any behavior of the platform, the answer is documented, at most one restore is sent, and nothing leaks',
      ],
      'test/client/secrecy.test.ts': ['no error, event or printed token shows a token value, whatever fails'],
      'test/lambdas/shared/adapters/https-client.test.ts': ['no error contains a header or a body'],
    },
    holes: {
      'test/journeys/canaries.test.ts': [
        'a running system in which every input, error and log contains credentials › detects deliberate leaks in every kind of place',
        'the search for canaries › finds one %s',
      ],
    },
    remains:
      'A secret that has the form of a content id, and is sent as one, is logged as one. A secret in a form that the search does not know would not be found.',
    decisions: [13],
  },
  {
    id: 'T11',
    name: 'A token of another scope',
    assets: ['access tokens', 'content'],
    attackers: ['hostile platform'],
    boundary: 'platform',
    abuse:
      'The platform grants more or less than was requested, and the token is stored under the requested scope.',
    control:
      'The granted scope is compared with the requested one: wider is a bad answer, narrower is refused. Neither is stored.',
    proofs: {
      'test/threats/scopes.test.ts': [
        'T11: the scope that the platform grants after a request for api/read › %s: %j',
      ],
      'test/lambdas/shared/domain/token-answer.test.ts': [
        'T11: the granted scope › is refused if it is not the requested one: %s',
      ],
      'test/journeys/threats.test.ts': ['T11: a token whose scope is %s is not stored'],
    },
    holes: {
      'test/threats/scopes.test.ts': [
        'T11: the scope that the platform grants after a request for api/read › turns red when any granted scope counts as the requested one',
      ],
    },
    remains:
      'An answer without a scope counts as granted, as RFC 6749 has it. What a token really allows, only the platform knows.',
  },
];
