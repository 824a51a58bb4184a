import { answerInstead, changeBody, changeRequest, together } from '../fronts/fronts';
import { changeTokenUse } from '../fronts/issued';
import {
  ANONYMOUS,
  BASIC,
  both,
  CONTENT,
  control,
  LIST,
  pathOf,
  WEBHOOKS,
  withPath,
} from '../fronts/operations';
import { type Violation } from '../violation';

/** Violations that the checks of the webhooks interface find. */
export const WEBHOOKS_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'what-the-service-does/bullet-2',
    violation: 'accepts webhooks tokens on the content interface',
    front: changeTokenUse(CONTENT, ({ of, another }, token) =>
      of === 'webhooks' ? another('content', 'api/all') : token,
    ),
  },
  {
    clause: 'what-the-service-does/bullet-2',
    violation: 'serves the webhooks interface at the base address of the content interface',
    front: together(
      changeBody<{ cells: { contentBaseUrl: string }[] }>(control('GET', 'addresses'), (addresses) => ({
        ...addresses,
        cells: addresses.cells.map((cell) => ({ ...cell, webhooksBaseUrl: cell.contentBaseUrl })),
      })),
      changeRequest(
        (asked) => pathOf(asked).endsWith('/rest/v1'),
        (asked) => withPath(asked, (path) => path.replace('/rest/v1', '/webhooks/v1')),
      ),
    ),
  },
  {
    clause: 'events/paragraph-1',
    violation: 'accepts content tokens on the webhooks interface',
    front: changeTokenUse(WEBHOOKS, ({ of, another }, token) =>
      of === 'content' ? another('webhooks', 'api/all') : token,
    ),
  },
  {
    clause: 'events/paragraph-1',
    violation: 'lets requests without a token in on the webhooks interface',
    front: answerInstead(both(WEBHOOKS, ANONYMOUS), 200),
  },
  {
    clause: 'events/paragraph-1',
    violation: 'lets Basic authentication in on the webhooks interface',
    front: answerInstead(both(WEBHOOKS, BASIC), 200),
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-2',
    violation: 'lists contents to requests without authentication',
    front: answerInstead(both(LIST, ANONYMOUS), 200, []),
  },
];
