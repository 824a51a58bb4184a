import { type Threat } from './threat';

/** What principals of the AWS account can try. */
export const IN_THE_ACCOUNT: readonly Threat[] = [
  {
    id: 'T8',
    name: 'Another service’s token, by a function',
    assets: ['access tokens'],
    attackers: ['internal service'],
    boundary: 'account',
    abuse: 'A service that may invoke token-refresh asks for the token of a tenant that it may not read.',
    control:
      'No function answers with a token: `ensure` says where it is stored and until when. Reading it takes the permission on that very secret.',
    proofs: {
      'test/lambdas/token-refresh/ensure.test.ts': [
        'the answer to a caller › names the secret, its version and its expiry, but not the token',
      ],
      'test/journeys/tokens.test.ts': [
        'answers `ensure` without the token, and without a platform request if the stored token suffices',
      ],
      'test/lib/stacks/access.test.ts': [
        'permissions on secrets › %s: exactly as declared, within one deployment',
        'permissions to invoke functions › are exactly as declared',
      ],
    },
    holes: {
      'test/lib/stacks/access.test.ts': ['permissions on secrets › turns red when %s'],
    },
    remains:
      'A service that may invoke token-refresh can renew the tokens of all tenants of the deployment, within T17’s limit.',
  },
  {
    id: 'T9',
    name: 'Access across tenants and deployments',
    assets: ['access tokens', 'client secrets', 'API keys'],
    attackers: ['internal service', 'operator', 'other tenant'],
    boundary: 'account',
    abuse: 'A role reads or writes a secret of another tenant, environment, region or installation.',
    control:
      'Readers get one secret each, by its ARN. Functions and operators are limited to the path of their deployment. The key decrypts only through Secrets Manager, for secrets that the role may read or write.',
    proofs: {
      'test/lib/stacks/access.test.ts': [
        'permissions on secrets › are checked for all secrets of all deployments',
        'permissions on secrets › %s: exactly as declared, within one deployment',
        'permissions on secrets › on the key allow decrypting only secrets that the role may read or write',
        'permissions on secrets › on the key apply only through Secrets Manager',
        'permissions on secrets › never apply over plain HTTP',
      ],
      'test/lib/stacks/rights.test.ts': [
        'the policies of Latchkey’s roles › have no action patterns and no resource *',
        'the policies of Latchkey’s roles › on secrets are limited to the deployment’s path',
      ],
      'test/lib/stacks/foreign-access.test.ts': [
        'a token in another account › cannot be read without the account in readerAccounts: %s',
        'a token in another account › cannot be read by a role without a grant',
      ],
      'test/lib/stacks/organizations.test.ts': [
        'readerOrganizations › who reads the token, and requests it: an account %s',
        'readerOrganizations › a role of the deployment’s own account, which is in the organization, still needs a policy',
      ],
      'test/journeys/accounts.test.ts': [
        'a token › is refused to an administrator of another organization',
        'a token › is refused to roles without a policy of their own, in every account',
        'the restore API › answers %i to a role %s',
      ],
      'test/journeys/permissions.test.ts': ['each statement of each role has a journey that needs it'],
    },
    holes: {
      'test/lib/stacks/access.test.ts': ['permissions on secrets › turns red when %s'],
      'test/journeys/permissions.test.ts': [
        'without one statement in each deployment, from "%s" › $label: "$journey" fails and names the denied action and resource',
      ],
    },
    remains:
      'The functions of a deployment serve all of its tenants, so a takeover of one reaches all that its role reaches. The policies are evaluated by our own evaluator, not by AWS.',
  },
  {
    id: 'T10',
    name: 'Tokens mixed up',
    assets: ['access tokens'],
    attackers: ['internal service', 'operator', 'other tenant'],
    boundary: 'account',
    abuse: 'A token of one tenant, environment or scope is kept or served under the key of another.',
    control:
      'A secret’s name has every part of the key, and the entry repeats them: readers and functions ignore an entry of another key, and the next renewal replaces it.',
    proofs: {
      'test/threats/token-mix-up.test.ts': [
        'T10: different token keys › never share a %s',
        'T10: a token in the secret of another key › is not served to a service: %s',
        'T10: a token in the secret of another key › is replaced by token-refresh: %s',
      ],
      'test/lambdas/shared/domain/stored-token.test.ts': ['an invalid entry › is of another %s'],
      'test/journeys/threats.test.ts': [
        'T10: the token of another tenant in a token secret › authenticates nobody, and is replaced',
      ],
    },
    holes: {
      'test/threats/token-mix-up.test.ts': [
        'T10: different token keys › turns red when a name leaves out the interface',
        'T10: a token in the secret of another key › turns red when the entry is relabeled, and %s',
      ],
    },
    remains: 'A principal that may write token secrets can store any token under any label.',
  },
  {
    id: 'T13',
    name: 'Secrets in templates and assets',
    assets: ['client secrets', 'API keys', 'access tokens'],
    attackers: ['log reader', 'dependency'],
    boundary: 'synthesis',
    abuse:
      'A secret gets into a template, an output, an environment variable or a bundle, where deployment rights suffice to read it.',
    control:
      'Secrets are created empty. Templates have ARNs only, and no dynamic references. Nothing of the environment of a synthesis is written to the assembly.',
    proofs: {
      'test/lib/stacks/template-rules.test.ts': [
        'secrecy › neither sets nor generates the value of a secret',
        'secrecy › outputs only addresses, paths and commands, and reads no secret into a template',
        'secrecy › puts only ARNs into the environment of functions',
        'secrecy › writes no environment variable of the synthesis to the assembly',
      ],
      'test/lib/config/load.test.ts': [
        'loadConfiguration › quotes nothing of an invalid JSON file, which may contain a secret',
      ],
      'test/journeys/canaries.test.ts': [
        'a running system in which every input, error and log contains credentials › shows no credential except the access keys in local.json',
      ],
    },
    holes: {
      'test/lib/stacks/template-rules.test.ts': [
        'secrecy › turns red when a file of the assembly holds $name',
      ],
    },
    remains: 'A secret that a person writes into a field of the configuration is in the deployment file.',
  },
  {
    id: 'T17',
    name: 'Spend by forced renewals',
    assets: ['availability'],
    attackers: ['internal service'],
    boundary: 'account',
    abuse:
      'A caller reports token after token as rejected, which costs grants of the platform and versions of the secret.',
    control:
      'A report must have the digest of the stored token. A token has 50 forced and 96 writes in 24 hours, counted in the secret itself. Requests to the restore API are throttled, on request for each tenant.',
    proofs: {
      'test/lambdas/token-refresh/write-conflicts.test.ts': [
        'the write budget › T17: forced renewals › stop at 50 requests, of 1,000 in 50 minutes',
        'the write budget › T17: forced renewals › stop at 50 requests in any 24 hours, of 1,000 in two days',
        'the write budget › that another writer spent in between › prevents a 97th write, however many writers there are',
      ],
      'test/journeys/tokens.test.ts': [
        'replaces a token that callers report as rejected, once however many report it',
      ],
    },
    holes: {
      'test/lambdas/token-refresh/write-conflicts.test.ts': [
        'the write budget › T17: forced renewals › turns red when a secret does not keep the times of its writes',
      ],
    },
    remains:
      'A service can spend the forced renewals of a tenant’s token, so that a revoked token is replaced only when it is due.',
    decisions: [12],
  },
  {
    id: 'T22',
    name: 'Events of another function',
    assets: ['availability', 'audit trail'],
    attackers: ['internal service'],
    boundary: 'account',
    abuse:
      'A reader of one token sends `sweep` to token-refresh: the answer lists every tenant, and twelve at once leave no room for `ensure`.',
    control:
      'Each function accepts its own events only, and refuses others before any call. Only operators and the schedule may invoke token-sweep.',
    proofs: {
      'test/threats/own-events.test.ts': [
        'a function accepts only its own events › %s refuses %j',
        'twelve sweeps at once at token-refresh take nothing from a caller of one token',
      ],
      'test/lib/stacks/access.test.ts': ['permissions to invoke functions › are exactly as declared'],
      'test/journeys/tokens.test.ts': [
        'answers a caller while twelve sweeps are requested at once, and token-refresh sweeps for nobody',
      ],
    },
    holes: {
      'test/threats/own-events.test.ts': [
        'a function accepts only its own events › turns red when token-refresh sweeps',
      ],
    },
    remains: 'The answer to `ensure` tells whether a tenant and token are declared.',
  },
  {
    id: 'T23',
    name: 'Unproven and refused values',
    assets: ['content', 'availability', 'API keys'],
    attackers: ['operator', 'other tenant'],
    boundary: 'account',
    abuse:
      'A value that somebody puts into a secret by hand opens the restore API, outlives the rights of its author, or stops what worked. A token that the platform refused goes on opening the API.',
    control:
      'An API key opens only after rotate-credentials had the platform accept it, which a tag says that the secret’s policy lets no other role write; the last proven key serves on. A client credential that the platform refuses leaves the former one serving. A token that was replaced because it was refused opens nothing.',
    proofs: {
      'test/threats/unproven-keys.test.ts': [
        'T23: an API key that somebody put into the secret by hand › does not open the restore API, and the proven one serves on',
        'T23: an API key that somebody put into the secret by hand › does not open it by the labels of a rotation, which operators may set',
      ],
      'test/threats/unproven.test.ts': [
        'a key that the platform never accepted does not open the restore API › if somebody %s',
      ],
      'test/lambdas/rotate-credentials/prove-keys.test.ts': [
        'a pasted key › that works opens after the next run, and the one before keeps its grace',
        'a pasted key › %s never opens, is counted in each run, and the proven one serves on',
        'a rotation › to a version whose label of a proof was set by hand does not open the restore API',
      ],
      'test/lambdas/token-refresh/former-credential.test.ts': [
        'a pasted credential that the platform refuses › %s leaves the former one serving, and every sweep counts the refusal',
        'the former credential › does not serve once it was revoked',
      ],
      'test/lib/stacks/proof-record.test.ts': [
        'the record of proven API keys, to an administrator › is denied: to set or remove %s',
        'the record of proven API keys, to an administrator › is denied through a service that tags for its callers',
      ],
      'test/threats/refused-tokens.test.ts': [
        'a token that the platform refused › no longer opens the restore API once it was replaced, although it has not expired',
      ],
    },
    holes: {
      'test/threats/unproven.test.ts': [
        'a key that the platform never accepted does not open the restore API › turns red when others may write the record',
      ],
      'test/lib/stacks/proof-record.test.ts': [
        'the record of proven API keys, to an administrator › turns red without the statement',
      ],
      'test/threats/unproven-keys.test.ts': [
        'T23: an API key that somebody put into the secret by hand › turns red when somebody may write the record',
      ],
      'test/threats/refused-tokens.test.ts': [
        'a token that the platform refused › turns red when %s',
        'a token that the platform refused › turns red when the new token does not tell which one was refused',
      ],
    },
    remains:
      'A key that works at the platform opens within minutes, also if a stranger put it there. Who may change the policy of a secret, or deploys with CloudFormation, can write the record. So can who may tag an adopted secret of another name, which keeps its own policy.',
    decisions: [27, 28, 29],
  },
  {
    id: 'T24',
    name: 'Another function or schedule for a rotation',
    assets: ['client secrets', 'API keys'],
    attackers: ['operator'],
    boundary: 'account',
    abuse:
      'An operator, who may start rotations but not read credentials, names another function or other rules in RotateSecret.',
    control:
      'The operator policy allows RotateSecret only without other rules, and with the function of the deployment. Secrets Manager also requires that the caller may invoke the named function. rotate-credentials works for Secrets Manager and the secrets of its deployment alone.',
    proofs: {
      'test/lib/constructs/internal/operator-policy.test.ts': [
        'operators › rotate credentials as configured › %s',
      ],
      'test/lib/stacks/access.test.ts': ['permissions to invoke functions › are exactly as declared'],
      'test/lib/stacks/rotation.test.ts': [
        'rotate-credentials › can be invoked only by Secrets Manager, for this deployment’s credentials in this account',
      ],
      'test/local/aws/secrets-manager/rotation.test.ts': [
        'rotation, through the SDK › permissions › are required for RotateSecret and for invoking the function, named or not',
      ],
    },
    holes: {
      'test/lib/stacks/access.test.ts': [
        'permissions to invoke functions › turn red when an operator may invoke any function',
      ],
    },
    remains:
      'A principal with further rights on the secrets is not bound by the operator policy. What AWS puts into the two condition keys when a request names nothing is not proven.',
    decisions: [9],
  },
  {
    id: 'T26',
    name: 'Broad rights to read secrets',
    assets: ['client secrets', 'API keys', 'access tokens'],
    attackers: ['internal service'],
    boundary: 'account',
    abuse:
      'A role of the account with broad GetSecretValue and Decrypt, which no policy of Latchkey gave it, reads client secrets, and nobody notices.',
    control:
      'On request, `secretReaders` denies reading to all but our functions and the named principals, in the policy of each secret, and `auditSecrets` notifies of each credential that another principal reads.',
    proofs: {
      'test/lib/stacks/secret-readers.test.ts': [
        'with secretReaders › %s is read by our functions and the named principals only',
        'with secretReaders › everybody with the right may still %s, so nobody locks himself out',
        'with secretReaders › a copy of the secret in another AWS region, which has its policy, is denied as well',
        'with secretReaders › an account in readerAccounts reads its tokens alone: %s',
      ],
      'test/lib/stacks/organizations.test.ts': [
        'readerOrganizations with secretReaders › who reads the token: an administrator of an account %s',
        'readerOrganizations with secretReaders › an administrator of the deployment’s own account is denied, although it is in the organization',
      ],
      'test/lib/stacks/secret-audit.test.ts': [
        'auditSecrets › notifies when a stranger reads a credential: %s',
        'auditSecrets › tells who reads: %s',
        'auditSecrets › sees reads, which EventBridge leaves out by default',
      ],
    },
    holes: {
      'test/lib/stacks/secret-readers.test.ts': [
        'without secretReaders, a broad policy is enough to read client credentials',
      ],
      'test/lib/stacks/secret-audit.test.ts': [
        'auditSecrets › turns red when the stranger is expected by a wildcard',
      ],
    },
    remains:
      'Off by default: then every role with broad rights reads every secret. A principal that may change the policy of a secret can give itself the right, of which `auditSecrets` notifies. Its notices need a trail, and come after the fact.',
  },
  {
    id: 'T29',
    name: 'Reads by forged events',
    assets: ['availability'],
    attackers: ['internal service'],
    boundary: 'account',
    abuse:
      'Somebody who may send events forges Token Renewed events, so that services read Secrets Manager at every call, or ignore true events.',
    control:
      'For each token, one event a minute has it read again, at most six times. An event of a time more than five minutes ahead, or from another account or AWS region than the secret’s, changes nothing.',
    proofs: {
      'test/client/renewal-events.test.ts': [
        'an event of a renewal › T29: that is forged ten times a second has a token read again six times a minute at most',
        'an event of a renewal › T29: of a time to come changes nothing, now or for later events',
        'an event of a renewal › T29: from %s changes nothing, now or for later events',
      ],
    },
    holes: {
      'test/client/renewal-events.test.ts': [
        'an event of a renewal › T29: turns red with a process that forgets which events it took',
        'an event of a renewal › T29: turns red with a sender of the same account and AWS region',
      ],
    },
    remains:
      'A true event within a minute of a forged one is ignored, so a replaced token is served until it is due or refused. Principals of the secret’s own account may still forge events.',
  },
];
