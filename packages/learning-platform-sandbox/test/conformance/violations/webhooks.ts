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
import { type ViolationTable } from '../violation';

const CONTENT_TOKENS = {
  'accepts content tokens on the webhooks interface': changeTokenUse(WEBHOOKS, ({ of, another }, token) =>
    of === 'content' ? another('webhooks', 'api/all') : token,
  ),
};

/** Violations that the checks of the webhooks interface find. */
export const WEBHOOKS_VIOLATIONS: ViolationTable = {
  'what-the-service-does/bullet-2': {
    'accepts webhooks tokens on the content interface': changeTokenUse(CONTENT, ({ of, another }, token) =>
      of === 'webhooks' ? another('content', 'api/all') : token,
    ),
    'serves the webhooks interface at the base address of the content interface': together(
      changeBody<{ cells: { contentBaseUrl: string }[] }>(control('GET', 'addresses'), (addresses) => ({
        ...addresses,
        cells: addresses.cells.map((deploymentKey) => ({
          ...deploymentKey,
          webhooksBaseUrl: deploymentKey.contentBaseUrl,
        })),
      })),
      changeRequest(
        (asked) => pathOf(asked).endsWith('/rest/v1'),
        (asked) => withPath(asked, (path) => path.replace('/rest/v1', '/webhooks/v1')),
      ),
    ),
  },
  'events/paragraph-1': {
    ...CONTENT_TOKENS,
    'accepts requests without a token on the webhooks interface': answerInstead(
      both(WEBHOOKS, ANONYMOUS),
      200,
    ),
    'accepts Basic authentication on the webhooks interface': answerInstead(both(WEBHOOKS, BASIC), 200),
  },
  'oauth-2-0-client-credentials/rule-1': CONTENT_TOKENS,
  'oauth-2-0-client-credentials/rule-2': {
    'lists contents without authentication': answerInstead(both(LIST, ANONYMOUS), 200, []),
  },
};
