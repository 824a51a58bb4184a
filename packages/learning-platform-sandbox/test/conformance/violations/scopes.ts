import { changeTokenUse } from '../fronts/issued';
import { type Asks, CREATE, DELETE, GET, READ, WEBHOOKS, WRITE } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

const RESTORE_AUTHENTICATION =
  'restore accepts Basic authentication, and Bearer tokens whose scope allows writes';

/** Allows requests with a token of an insufficient scope. */
const permits = (scope: string, is: Asks): Front =>
  changeTokenUse(is, (given, token) => (given.scope === scope ? given.another('content', 'api/all') : token));

/** Refuses requests with a token of a sufficient scope: treats it as a token of another scope, or as none. */
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
        'restore refuses with the statuses listed under Errors',
        'restore answers 403 to a read-only token, and restores nothing',
      ],
    },
    'lets api/read create': permits('api/read', CREATE),
  },
  'oauth-2-0-client-credentials/row-content-api-write': {
    'does not let api/write delete': {
      front: refuses('api/write', DELETE, 'api/read'),
      alsoFails: [
        'POST /contents creates a content, PATCH changes it, and DELETE deletes it',
        'the four existing writes require authorRef, even with a collaborationId',
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
    'refuses api/webhooks on the webhooks interface': refuses('api/webhooks', WEBHOOKS),
  },
  'oauth-2-0-client-credentials/row-webhooks-api-all': {
    'refuses api/all on the webhooks interface': refuses('api/all', WEBHOOKS),
  },
};
