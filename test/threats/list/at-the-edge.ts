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
      'Secrets are compared as digests in constant time. An unknown tenant gets the same answer as a wrong key, after as many calls of AWS.',
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
    },
    holes: {
      'test/threats/timing.test.ts': [
        'T6: an attacker who guesses learns nothing about tenants › from the answer: turns red when the answer reveals that a tenant is unknown',
        'T6: an attacker who guesses learns nothing about tenants › from the work: turns red when an unknown tenant is refused without reading its %s',
      ],
    },
    remains: 'Equal work is counted in calls of AWS, not measured in time over a network.',
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
    },
    holes: {
      'test/threats/type-pollution.test.ts': [
        'T16 type pollution › turns red when a JSON reader assigns the key __proto__',
      ],
    },
    remains: 'A dependency that pollutes prototypes by itself is not covered.',
  },
];
