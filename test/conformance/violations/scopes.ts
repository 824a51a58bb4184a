import { changeTokenUse } from '../fronts/issued';
import { type Asks, CREATE, DELETE, GET, READ, WEBHOOKS, WRITE } from '../fronts/operations';
import { type Front, type Violation } from '../violation';

const RESTORE_AUTHENTICATION =
  'restore takes Basic or Bearer, of the tokens those whose scope allows to write';

/** Permits requests to tokens of a scope that does not suit. */
const permits = (scope: string, is: Asks): Front =>
  changeTokenUse(is, (given, token) => (given.scope === scope ? given.another('content', 'api/all') : token));

/** Does not permit requests to tokens of a scope that suits: takes them for another scope, or for no token. */
const refuses = (scope: string, is: Asks, instead?: string): Front =>
  changeTokenUse(is, (given, token) => {
    if (given.scope !== scope) return token;
    return instead === undefined ? 'refused' : given.another('content', instead);
  });

/** Violations that the checks of scopes find. */
export const SCOPE_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-read',
    violation: 'lets api/read write',
    front: permits('api/read', WRITE),
    alsoFails: [
      RESTORE_AUTHENTICATION,
      'restore refuses with the statuses that are listed under Errors',
      'restore answers 403 to a token that may only read, and restores nothing',
    ],
  },
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-read',
    violation: 'lets api/read create',
    front: permits('api/read', CREATE),
  },
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-write',
    violation: 'does not let api/write delete',
    front: refuses('api/write', DELETE, 'api/read'),
    alsoFails: [
      'POST /contents makes a content, PATCH changes it, and DELETE removes it',
      'PATCH changes what it names, publish publishes, and DELETE removes from the list',
      'the six operations exist also while restore is yet to come',
      'the filter finds a content by its status in the older vocabulary, and by no other',
      'the four writes that exist require authorRef, also beside a collaborationId',
      'the four writes that exist carry the acting user in their bodies, wherever the others do',
      "another tenant's content does not exist, nor does a deleted one",
      'a write that fails because a service failed leaves all unmodified, and succeeds when sent again',
    ],
  },
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-all',
    violation: 'does not let api/all write',
    front: refuses('api/all', WRITE, 'api/read'),
    alsoFails: [RESTORE_AUTHENTICATION],
  },
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-all',
    violation: 'does not let api/all read',
    front: refuses('api/all', READ, 'api/write'),
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-5',
    violation: 'lets api/write read',
    front: permits('api/write', READ),
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-5',
    violation: 'lets api/write read a single content',
    front: permits('api/write', GET),
  },
  {
    clause: 'oauth-2-0-client-credentials/row-webhooks-api-webhooks',
    violation: 'refuses api/webhooks on the webhooks interface',
    front: refuses('api/webhooks', WEBHOOKS),
    alsoFails: ['a token is valid for 3600 s, and then no longer'],
  },
  {
    clause: 'oauth-2-0-client-credentials/row-webhooks-api-all',
    violation: 'refuses api/all on the webhooks interface',
    front: refuses('api/all', WEBHOOKS),
  },
];
