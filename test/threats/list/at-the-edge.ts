import { type Threat } from './threat';

/** What callers of the restore API can try. */
export const AT_THE_EDGE: readonly Threat[] = [
  {
    id: 'T3',
    name: 'Path traversal in ids',
    assets: ['content'],
    attackers: ['outside caller', 'other tenant'],
    boundary: 'edge',
    abuse:
      'An id such as `..`, encoded once, twice or overlong, changes which path of the platform is requested with the tenant’s token.',
    control:
      'Ids have one pattern, and `.` and `..` are refused. An id is encoded once, and a request is sent only if its path is the prefix and one segment.',
    proofs: {
      'test/threats/path-traversal.test.ts': [
        'T3 path traversal › sends nothing for an id that is or holds %s',
        'T3 path traversal › for any ids, the function requests only the path of that content id, or nothing',
      ],
      'test/lambdas/shared/adapters/platform-content.test.ts': [
        'whatever the id, the path is its prefix and one segment, or nothing is sent (T3)',
      ],
      'test/journeys/threats.test.ts': ['T3: an id that would change the path reaches no platform'],
    },
    holes: {
      'test/threats/path-traversal.test.ts': [
        'T3 path traversal › turns red when an invalid id is sanitized instead of refused',
      ],
    },
    remains:
      'Whether API Gateway passes encoded ids on unchanged is not proven on AWS; both readings are tested.',
  },
  {
    id: 'T4',
    name: 'Header and log injection',
    assets: ['audit trail'],
    attackers: ['outside caller', 'hostile platform'],
    boundary: 'edge',
    abuse: 'Control characters in ids, references, headers or answers add a header, or forge a log line.',
    control: 'Every field has a pattern that is checked first. Log lines are JSON, written by one function.',
    proofs: {
      'test/threats/injection.test.ts': [
        'T4 header and log injection › by %s: refused, one line an event, and not a header of it',
        'T4 header and log injection › by an acting user of printable text: the line has it as it came, and the fields of any other',
        'T4 header and log injection › by the platform’s answer: its text stays inside the record',
        'T4 header and log injection › by %s, if configuration forwards the acting user in headers: accepted text is sent as one header',
      ],
      'test/journeys/threats.test.ts': ['T4: control characters forge no log line'],
    },
    holes: {
      'test/threats/injection.test.ts': ['T4 header and log injection › turns red when $hole.wrong'],
    },
    remains:
      'An acting user may be any printable text, so a log viewer that renders markup must escape it. The platform’s text reaches callers inside the record.',
  },
  {
    id: 'T5',
    name: 'Body bombs',
    assets: ['availability'],
    attackers: ['outside caller', 'hostile platform'],
    boundary: 'edge',
    abuse: 'A large, deep or wide body exhausts memory or the processor of a function.',
    control:
      'A request has at most 16 KiB and an answer at most 1 MiB, counted before parsing; depth and members are counted before JSON.parse. Input is never serialized again.',
    proofs: {
      'test/threats/bombs.test.ts': [
        'T5 body bombs › in a request: %s',
        'T5 body bombs › in an answer of the platform: %s',
      ],
      'test/lambdas/restore/restore-request.test.ts': ['the structure of a body (T5) › %s'],
      'test/journeys/threats.test.ts': [
        'T5: a bomb › in a request is refused unread',
        'T5: a bomb › in an answer is not used, and the next request is served',
      ],
    },
    holes: {
      'test/threats/bombs.test.ts': [
        'T5 body bombs › turns red when a body is parsed before its size is checked',
        'T5 body bombs › turns red when an answer of any depth is used',
        'T5 body bombs › turns red when an answer is parsed before its size is checked',
      ],
    },
    remains: 'API Gateway itself reads up to 10 MB before the function is invoked.',
  },
  {
    id: 'T6',
    name: 'Guessing by timing or answers',
    assets: ['API keys', 'access tokens'],
    attackers: ['outside caller'],
    boundary: 'edge',
    abuse: 'Answers, or the time that they take, tell how much of a key is right, or which tenants exist.',
    control:
      'Secrets are compared as digests in constant time. An unknown tenant gets the same answer as a wrong key. A single guess causes as many calls of AWS for any name.',
    proofs: {
      'test/threats/timing.test.ts': [
        'T6: no comparison of secrets takes a time that depends on them › lint reports one in %s',
        'T6: no comparison of secrets takes a time that depends on them › lint applies the rule to %s',
        'T6: an attacker who guesses learns nothing about tenants › from the answer: the same 401 for an unknown tenant, and a wrong or missing key, scheme or token',
        'T6: an attacker who guesses learns nothing about tenants › from the work: as many AWS calls for an unknown tenant as for a wrong %s',
      ],
      'test/lambdas/shared/domain/accepted-secret.test.ts': [
        'T6: compares all secrets in constant time, whichever matches or has expired',
      ],
      'test/journeys/restore.test.ts': ['answers an unknown tenant exactly as it answers a wrong credential'],
    },
    holes: {
      'test/threats/timing.test.ts': [
        'T6: an attacker who guesses learns nothing about tenants › from the answer: turns red when the answer reveals that a tenant is unknown',
        'T6: an attacker who guesses learns nothing about tenants › from the work: turns red when an unknown tenant is refused without reading its %s',
      ],
    },
    remains:
      'Repeated guesses may tell by their time which tenants are declared, which is accepted. Equal work is counted in calls of AWS, not measured over a network.',
    decisions: [26],
  },
  {
    id: 'T12',
    name: 'Replayed and doubled restores',
    assets: ['content'],
    attackers: ['outside caller', 'hostile platform'],
    boundary: 'edge',
    abuse: 'Equal requests at once, or a retry after an unknown outcome, restore a content twice.',
    control:
      'Nothing repeats a request that may have had an effect. The platform’s 409 is passed on; an unknown outcome is named as such.',
    proofs: {
      'test/threats/replay.test.ts': [
        'T12: of 50 requests for one content at once › one restores, and 49 get the answer that there is nothing to restore',
        'T12: of 50 requests for one content at once › one restores, even if the platform answers slowly',
        'T12: of 50 requests for one content at once › one restores after their token was revoked, with at most two requests per caller and one grant for all',
        'T12: of 50 requests for one content at once › one gets an unknown outcome, as its connection broke after processing, and no request is sent again',
        'T12: of 10 equal requests at once › %s, none is sent again',
        'T12: API Gateway does not invoke the restore function again › %s',
      ],
      'test/journeys/restore.test.ts': ['restores a content once for twenty simultaneous equal requests'],
    },
    holes: {
      'test/threats/replay.test.ts': [
        'T12: of 50 requests for one content at once › $title: turns red when $hole.wrong',
        'T12: of 10 equal requests at once › %s: turns red when a transport sends requests again',
        'T12: API Gateway does not invoke the restore function again › turns red when a crashed function is invoked again',
      ],
    },
    remains:
      'The guard is the platform’s own state: whether it answers 409 to the second of two equal requests is its promise.',
    decisions: [2, 7],
  },
  {
    id: 'T15',
    name: 'Confusion about who calls',
    assets: ['content', 'API keys', 'access tokens'],
    attackers: ['outside caller', 'other tenant'],
    boundary: 'edge',
    abuse:
      'Two Authorization headers, a second colon, another scheme or a token with a read scope is taken for a valid credential.',
    control:
      'Exactly one Authorization header, parsed strictly, with one spelling per credential. The scope is checked before the body is used. Tokens in URLs and bodies are ignored.',
    proofs: {
      'test/threats/authorization.test.ts': [
        'T15 authorization at the edge › %s: %i',
        'T15 authorization at the edge › a token in %s: 401',
      ],
      'test/lambdas/authorizer/authorization-header.test.ts': [
        'a Basic header has one spelling: encoding the parsed credential gives the same header',
      ],
      'test/journeys/threats.test.ts': [
        'T15: only one credential of the tenant itself, in one header, is accepted',
      ],
    },
    holes: {
      'test/threats/authorization.test.ts': [
        'T15 authorization at the edge › $status turns red when $hole.wrong',
      ],
    },
    remains: 'How API Gateway hands on repeated headers is built from its documentation, not proven on AWS.',
  },
  {
    id: 'T16',
    name: 'Type pollution',
    assets: ['content', 'access tokens'],
    attackers: ['outside caller', 'hostile platform'],
    boundary: 'edge',
    abuse: 'A key such as `__proto__` in JSON becomes a field of an object that the code trusts.',
    control: 'Schemas pick named fields. Nothing copies the keys of input.',
    proofs: {
      'test/threats/type-pollution.test.ts': [
        'T16 type pollution › the acting user of a request comes only from its two fields, whatever the other keys',
        'T16 type pollution › a request with the key %s beside the valid fields is rejected',
        'T16 type pollution › a record of the platform contains only its documented fields, whatever the answer’s keys',
        'T16 type pollution › an answer does not become a record by the content of its %s',
        'T16 type pollution › an answer does not become a token by the content of its %s',
      ],
      'test/journeys/threats.test.ts': ['T16: the acting user is not taken from a prototype'],
    },
    holes: {
      'test/threats/type-pollution.test.ts': [
        'T16 type pollution › turns red when a JSON reader assigns the key __proto__',
      ],
    },
    remains: 'A dependency that pollutes prototypes by itself is not covered.',
  },
  {
    id: 'T19',
    name: 'A flood of made-up tenants',
    assets: ['availability'],
    attackers: ['outside caller'],
    boundary: 'edge',
    abuse:
      'Requests for tenants that do not exist cost calls of Secrets Manager with every name, and push the tenants that are served out of the cache.',
    control:
      'Each declared tenant has its own cache entry, and all other names share one. Each entry causes a bounded number of lookups, also while Secrets Manager fails.',
    proofs: {
      'test/threats/flood.test.ts': [
        'T19: a flood of made-up tenant names › costs one lookup in 2 s, as one name does: %s',
        'T19: a flood of made-up tenant names › evicts no tenant that is served with %s',
        'T19: a flood while Secrets Manager throttles › costs one failed lookup in a second, for one name and for many',
      ],
    },
    holes: {
      'test/threats/flood.test.ts': [
        'T19: a flood of made-up tenant names › costs one lookup in 2 s: turns red when each name is looked up: %s',
        'T19: a flood of made-up tenant names › evicts no tenant: turns red when new names replace one with %s',
        'T19: a flood while Secrets Manager throttles › costs one failed lookup: turns red when each request looks up again',
      ],
    },
    remains:
      'The bound holds for each process and grows with the number of declared tenants: wrong credentials for all of them cost a lookup each in 2 s.',
    decisions: [26],
  },
  {
    id: 'T20',
    name: 'Junk that uses up shared limits',
    assets: ['availability'],
    attackers: ['outside caller'],
    boundary: 'edge',
    abuse:
      'API Gateway throttles before it authenticates, so requests without credentials take the place of callers.',
    control:
      'On request, a web ACL limits the requests of each IP address before the stage’s limits count them. A usage plan limits each tenant.',
    proofs: {
      'test/lib/constructs/restore/restore-api-edge.test.ts': [
        'ratePerIp › is a rule of a web ACL that the stage has',
      ],
    },
    holes: {
      'test/lib/constructs/restore/restore-api-edge.test.ts': [
        'ratePerIp › turns red when the stage has another web ACL',
      ],
    },
    remains:
      'Off by default, because it has a price. Junk from many addresses still uses up the limits. The order of web ACL, limits and authorizer is not proven on AWS.',
  },
  {
    id: 'T21',
    name: 'Isolation and attribution in IAM mode',
    assets: ['content', 'audit trail'],
    attackers: ['internal service', 'other tenant'],
    boundary: 'edge',
    abuse:
      'A role that may restore for one tenant restores for another, or nobody can tell which role restored.',
    control:
      '`grantRestore` can name tenants, and becomes their paths. In IAM mode an id has one spelling, so that no encoded letter evades a policy. Access log and log line have the ARN that API Gateway verified.',
    proofs: {
      'test/threats/iam-callers.test.ts': [
        'T21 tenants of callers in iam mode › a role that may restore for one tenant restores for that one',
        'T21 tenants of callers in iam mode › the same role reaches no other tenant, named %s',
        'T21 a policy that denies › a %s cannot be evaded: %s',
        'T21 who called in iam mode › the history names the principal that signed, whatever a header says',
        'T21 who called in iam mode › so does the access log, which also has the requests that no function saw',
      ],
      'test/journeys/restore-history.test.ts': ['shows the principal of a signed request, in a table too'],
    },
    holes: {
      'test/threats/iam-callers.test.ts': [
        'T21 tenants of callers in iam mode › turns red when %s',
        'T21 a policy that denies › turns red when %s',
        'T21 who called in iam mode › turns red when $wrong',
        'T21 who called in iam mode › turns red when the access log leaves out the principal',
      ],
    },
    remains:
      'A role without a tenant in its grant restores for all. Which person stands behind a role session, only CloudTrail knows. How API Gateway matches encoded paths with policies is not documented.',
  },
];
