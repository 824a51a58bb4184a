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
  'restore takes Basic or Bearer, of the tokens those whose scope allows to write';

/** Violations that the checks of Basic authentication, and of tenants, find. */
export const BASIC_AUTHENTICATION_VIOLATIONS: ViolationTable = {
  'authentication/paragraph-1': {
    'takes a token with the scheme Token': changeHeader(CONTENT, 'authorization', (value) =>
      value?.replace(/^token /i, 'Bearer '),
    ),
    'takes no Basic authentication for writes': {
      front: answerInstead(both(WRITE, BASIC), 401),
      alsoFails: [RESTORE_AUTHENTICATION],
    },
  },
  'what-the-service-does/bullet-3': {
    'takes no Basic authentication': {
      front: answerInstead(both(CONTENT, BASIC), 401),
      alsoFails: [
        'Basic authentication permits writes',
        'a client that used Basic sees the same contents with a Bearer token',
        'a key is valid until validUntil, and then no longer',
        'a generated key is accepted as the password of Basic authentication',
        RESTORE_AUTHENTICATION,
      ],
    },
  },
  'http-basic-authentication/bullet-1': {
    'takes an API key with any username': changeBasic(({ password }, ownerOf) => {
      const owner = ownerOf(password);
      return owner && basic(owner.tenantId, password);
    }),
    'takes an empty password for any API key': changeBasic(
      ({ username, password }, _ownerOf, asked, sandbox) =>
        password === ''
          ? newKey({ ...deploymentKeyOf(asked), tenantId: username }, asked, sandbox)
          : undefined,
    ),
  },
  'http-basic-authentication/bullet-2': {
    'takes the tenant identifier of one environment in the other': whenAnswered(
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
    'leaves a content out of the list that is asked for with a token': changeBody<unknown[]>(
      both(LIST, BEARER),
      (contents, { url }) => (url.includes('statuses') ? contents : contents.slice(1)),
    ),
  },
  'what-the-service-does/bullet-1': {
    'takes the API key of any tenant for any other': changeBasic(
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
