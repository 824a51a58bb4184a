import { basic } from '../../../src/conformance/requests';
import { newKey } from '../fronts/control';
import { answerInstead, changeBody, changeHeader } from '../fronts/fronts';
import { changeBasic } from '../fronts/issued';
import { BASIC, BEARER, both, deploymentKeyOf, CONTENT, LIST, WRITE } from '../fronts/operations';
import { type ViolationTable } from '../violation';

const RESTORE_AUTHENTICATION =
  'restore accepts Basic authentication, and Bearer tokens whose scope allows writes';

/** Violations that the checks of Basic authentication, and of tenants, find. */
export const BASIC_AUTHENTICATION_VIOLATIONS: ViolationTable = {
  'authentication/paragraph-1': {
    'accepts a token with the scheme Token': changeHeader(CONTENT, 'authorization', (value) =>
      value?.replace(/^token /i, 'Bearer '),
    ),
    'refuses Basic authentication for writes': {
      front: answerInstead(both(WRITE, BASIC), 401),
      alsoFails: [RESTORE_AUTHENTICATION],
    },
  },
  'what-the-service-does/bullet-3': {
    'refuses Basic authentication': {
      front: answerInstead(both(CONTENT, BASIC), 401),
      alsoFails: [
        'Basic authentication allows writes',
        'Basic authentication and a Bearer token show the same contents',
        'a generated key works as the password of Basic authentication',
        RESTORE_AUTHENTICATION,
      ],
    },
  },
  'http-basic-authentication/bullet-1': {
    'accepts an API key with any username': changeBasic(({ password }, ownerOf) => {
      const owner = ownerOf(password);
      return owner && basic(owner.tenantId, password);
    }),
    'accepts an empty password instead of an API key': changeBasic(
      ({ username, password }, _ownerOf, asked, sandbox) =>
        password === ''
          ? newKey({ ...deploymentKeyOf(asked), tenantId: username }, asked, sandbox)
          : undefined,
    ),
  },
  'http-basic-authentication/bullet-3': {
    'omits a content from lists requested with a token': changeBody<unknown[]>(
      both(LIST, BEARER),
      (contents, { url }) => (url.includes('statuses') ? contents : contents.slice(1)),
    ),
  },
};
