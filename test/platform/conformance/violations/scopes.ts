import { changeTokenUse } from '../fronts/issued';
import { type Asks, CREATE, DELETE, GET, READ, WEBHOOKS, WRITE } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

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
export const SCOPE_VIOLATIONS: ViolationTable = {
  'oauth-2-0-client-credentials/row-content-api-read': {
    'lets api/read write': {
      front: permits('api/read', WRITE),
      alsoFails: [
        RESTORE_AUTHENTICATION,
        'restore refuses with the statuses that are listed under Errors',
        'restore answers 403 to a token that may only read, and restores nothing',
      ],
    },
    'lets api/read create': permits('api/read', CREATE),
  },
  'oauth-2-0-client-credentials/row-content-api-write': {
    'does not let api/write delete': {
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
  },
  'oauth-2-0-client-credentials/row-content-api-all': {
    'does not let api/all write': {
      front: refuses('api/all', WRITE, 'api/read'),
      alsoFails: [RESTORE_AUTHENTICATION],
    },
    'does not let api/all read': refuses('api/all', READ, 'api/write'),
  },
  'oauth-2-0-client-credentials/rule-5': {
    'lets api/write read': permits('api/write', READ),
    'lets api/write read a single content': permits('api/write', GET),
  },
  'oauth-2-0-client-credentials/row-webhooks-api-webhooks': {
    'refuses api/webhooks on the webhooks interface': {
      front: refuses('api/webhooks', WEBHOOKS),
      alsoFails: ['a token is valid for 3600 s, and then no longer'],
    },
  },
  'oauth-2-0-client-credentials/row-webhooks-api-all': {
    'refuses api/all on the webhooks interface': refuses('api/all', WEBHOOKS),
  },
};
