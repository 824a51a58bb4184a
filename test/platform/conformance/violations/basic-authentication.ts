import { basic } from '../../../../platform/conformance/requests';
import { newKey, storedContentOf } from '../fronts/control';
import { answerInstead, answerOf, changeBody, changeHeader, whenAnswered } from '../fronts/fronts';
import { changeBasic } from '../fronts/issued';
import {
  BASIC,
  BEARER,
  both,
  deploymentKeyOf,
  CONTENT,
  GET,
  inDeployment,
  LIST,
  WRITE,
} from '../fronts/operations';
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
        'a key expires at validUntil',
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
  'http-basic-authentication/bullet-2': {
    'accepts the tenant identifier of one environment in the other': whenAnswered(
      401,
      both(CONTENT, BASIC),
      (asked, sandbox) => {
        const { environment, platformRegion } = deploymentKeyOf(asked);
        const other = environment === 'staging' ? 'production' : 'staging';
        return sandbox(inDeployment(asked, { environment: other, platformRegion }));
      },
    ),
  },
  'http-basic-authentication/bullet-3': {
    'omits a content from lists requested with a token': changeBody<unknown[]>(
      both(LIST, BEARER),
      (contents, { url }) => (url.includes('statuses') ? contents : contents.slice(1)),
    ),
  },
  'what-the-service-does/bullet-1': {
    'accepts the API key of any tenant for any other': changeBasic(
      ({ username, password }, ownerOf, asked, sandbox) =>
        ownerOf(password)
          ? newKey({ ...deploymentKeyOf(asked), tenantId: username }, asked, sandbox)
          : undefined,
    ),
    'shows a content to every tenant': whenAnswered(404, GET, async (asked, sandbox, answer) => {
      const stored = await storedContentOf(asked, sandbox);
      return stored && !stored.content.deleted ? answerOf(200, stored.content) : answer;
    }),
  },
};
