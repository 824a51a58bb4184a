import { type RecordedChange, type StoredContent } from '../../../../platform/conformance/stored-contents';
import {
  changedContent,
  ownAuthor,
  recordedChanges,
  restoreSettings,
  storedContentOf,
  SYSTEM_ACCOUNT,
  tenantsOf,
} from '../fronts/control';
import { answerOf, changeBody, changeHeader, changeRequestBody, takeOver } from '../fronts/fronts';
import { type Asks, control, DELETE, either, PUBLISH, RESTORE, STORED, UPDATE } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

const IN_HEADERS = 'restore can take the same identifiers from headers, and then ignores those in the body';

/** Records another acting user. */
const recordsActingUser = (
  actingUser: (change: RecordedChange, ...ask: Parameters<typeof tenantsOf>) => Promise<string>,
): Front =>
  changeBody<{ changes: RecordedChange[] }>(control('GET', 'audit'), async ({ changes }, ...ask) => ({
    changes: await Promise.all(
      changes.map(async (change) => ({ ...change, actingUser: await actingUser(change, ...ask) })),
    ),
  }));

/** Stores another author or owner, which may depend on the changes of the content. */
const stores = (
  otherwise: (
    content: StoredContent,
    changes: readonly RecordedChange[],
    ...ask: Parameters<typeof tenantsOf>
  ) => Partial<StoredContent> | Promise<Partial<StoredContent>>,
): Front =>
  changeBody<StoredContent>(STORED, async (content, ...ask) => {
    const changes = await recordedChanges(...ask);
    const own = changes.filter(({ contentId }) => contentId === content.id);
    return { ...content, ...(await otherwise(content, own, ...ask)) };
  });

/** Accepts references of others in a restore as if they belonged to the tenant. */
const takesReferencesOf = (whom: 'nobody' | 'another tenant'): Front =>
  changeRequestBody(RESTORE, async (body, asked, sandbox) => {
    const stored = await storedContentOf(asked, sandbox);
    if (!stored) return body;
    const { authorRefs, collaborationIds } = stored.tenant;
    const own: unknown[] = [...authorRefs, ...collaborationIds];
    const known: unknown[] = (await tenantsOf(asked, sandbox)).flatMap((tenant) => [
      ...tenant.authorRefs,
      ...tenant.collaborationIds,
    ]);
    const isTaken = (ref: unknown) =>
      typeof ref === 'string' &&
      ref !== '' &&
      !own.includes(ref) &&
      known.includes(ref) === (whom === 'another tenant');
    return {
      ...body,
      ...(isTaken(body.authorRef) && { authorRef: authorRefs[0] }),
      ...(isTaken(body.collaborationId) && { collaborationId: collaborationIds[0] }),
    };
  });

/** Performs a write without authorRef. */
const needsNoAuthor = (is: Asks): Front =>
  changeRequestBody(is, async (body, asked, sandbox) => ({
    authorRef: await ownAuthor(asked, sandbox),
    ...body,
  }));

/** Violations that the checks of the acting user find. */
export const ACTING_USER_VIOLATIONS: ViolationTable = {
  'acting-user-object/row-authorref': {
    'stores another user as the author of a content': stores(() => ({ author: 'somebody' })),
    'always records the author of a content as the acting user': recordsActingUser(async (change, ...ask) =>
      change.actingUser === SYSTEM_ACCOUNT ? SYSTEM_ACCOUNT : (await changedContent(change, ...ask)).author,
    ),
    'makes the acting user of a change the author': stores(({ author }, changes) => {
      const last = changes.findLast(({ actingUser }) => actingUser !== SYSTEM_ACCOUNT);
      return { author: last?.actingUser ?? author };
    }),
  },
  'acting-user-object/row-collaborationid': {
    'lets another collaboration of the tenant own the content': stores(
      async ({ owner }, _changes, ...ask) => {
        const tenants = await tenantsOf(...ask);
        const own = tenants.find(({ collaborationIds }) => collaborationIds.includes(owner));
        return { owner: own?.collaborationIds[0] ?? owner };
      },
    ),
    'does not change the owner if only a collaboration is given': stores(({ author, owner }, changes) => ({
      owner: changes.at(-1)?.actingUser === SYSTEM_ACCOUNT ? author : owner,
    })),
  },
  'acting-user-object/rule-1': {
    'records no acting user if a collaboration owns the content': {
      front: recordsActingUser(async ({ owner, actingUser }, ...ask) => {
        const tenants = await tenantsOf(...ask);
        const isOwned = tenants.some(({ collaborationIds }) => collaborationIds.includes(owner));
        return isOwned ? SYSTEM_ACCOUNT : actingUser;
      }),
      alsoFails: [IN_HEADERS],
    },
  },
  'acting-user-object/rule-2': {
    'records the author as the acting user if only a collaboration is given': recordsActingUser(
      async (change, ...ask) =>
        change.actingUser === SYSTEM_ACCOUNT
          ? (await changedContent(change, ...ask)).author
          : change.actingUser,
    ),
  },
  'acting-user-object/rule-3': {
    'accepts a reference of another organization for a restore': {
      front: takesReferencesOf('another tenant'),
      alsoFails: ['restore answers 422 for references of another organization'],
    },
    'accepts an unknown reference for a restore': {
      front: takesReferencesOf('nobody'),
      alsoFails: [
        'restore answers 422 for a missing, malformed or unknown acting user',
        'a write whose references fail validation writes nothing',
      ],
    },
  },
  'acting-user-object/rule-4': {
    'changes and deletes a content without authorRef': needsNoAuthor(either(UPDATE, DELETE)),
    'accepts a collaborationId for PATCH, DELETE and publish': changeRequestBody(
      either(UPDATE, DELETE, PUBLISH),
      (body) => ({
        ...body,
        collaborationId: undefined,
      }),
    ),
    'takes the acting user of publish from a header when restore does': takeOver(
      PUBLISH,
      async (asked, sandbox) => {
        const { actingUserIn } = await restoreSettings(asked, sandbox);
        const isMissing = actingUserIn === 'header' && asked.headers?.['x-author-ref'] === undefined;
        return isMissing ? answerOf(422, {}) : sandbox(asked);
      },
    ),
    'publishes without authorRef': needsNoAuthor(PUBLISH),
  },
  'acting-user-object/rule-5': {
    'still reads the body when the acting user moves to headers': changeRequestBody(
      control('POST', 'restore'),
      (body) => ({ ...body, actingUserIn: undefined }),
    ),
  },
  'versioning/bullet-2': {
    'expects different identifiers in the header than in the body': changeHeader(
      RESTORE,
      'x-acting-author',
      (value) => value?.toUpperCase(),
    ),
  },
};
