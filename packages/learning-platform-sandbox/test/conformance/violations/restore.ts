import { controlOf, ownAuthor, storedContentOf } from '../fronts/control';
import {
  answerInstead,
  changeAnswer,
  changeBody,
  changeHeader,
  changeRequestBody,
  changeStatus,
  fieldsOf,
} from '../fronts/fronts';
import { ARCHIVE, BASIC, both, either, LIST, RESTORE, withPath } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

/** Restores every archived content of the tenant along with the requested one. */
const restoresAll: Front = changeAnswer(RESTORE, async (answer, asked, sandbox) => {
  const stored = answer.status === 200 ? await storedContentOf(asked, sandbox) : undefined;
  if (!stored) return answer;
  const { environment, platformRegion, tenantId } = stored.tenant;
  const { contents } = await controlOf(asked, sandbox)<{
    contents: { id: string; status: string; deleted: boolean }[];
  }>('GET', `contents/${environment}/${platformRegion}/${tenantId}`);
  for (const { id } of contents.filter(({ status, deleted }) => status === 'archived' && !deleted)) {
    await sandbox(withPath(asked, (path) => path.replace(stored.content.id, id)));
  }
  return answer;
});

/** Violations that the checks of restore find. */
export const RESTORE_VIOLATIONS: ViolationTable = {
  'restore-archived-content/bullet-1': {
    'does not list a restored content': changeBody<{ id: string }[]>(LIST, async (contents, ...ask) => {
      const { changes } = await controlOf(...ask)<{ changes: Record<string, string>[] }>('GET', 'audit');
      const restored = changes.filter(({ operation }) => operation === 'restore');
      return contents.filter(({ id }) => !restored.some(({ contentId }) => contentId === id));
    }),
  },
  'restore-archived-content/bullet-2': {
    'restores every archived content of the tenant at once': restoresAll,
  },
  'restore-archived-content/bullet-3': {
    'answers 500 to a body that is not JSON': changeStatus(RESTORE, 400, 500),
  },
  'restore-archived-content/bullet-4': {
    'returns the status restored for a restore': {
      front: changeBody(RESTORE, (record) => ({ ...record, status: 'restored' })),
      alsoFails: ['the record has the lifecycle status: published after restore, archived after archive'],
    },
  },
  'restore-archived-content/bullet-5': {
    'refuses Basic authentication for a restore': answerInstead(both(RESTORE, BASIC), 401),
  },
  'restore-archived-content/bullet-6': {
    'answers 400 if no reference is given': {
      front: changeStatus((asked) => RESTORE(asked) && asked.body === '{}', 422, 400),
      alsoFails: ['restore answers 422 for a missing, malformed or unknown acting user'],
    },
  },
  'limits/row-acting-user': {
    'restores and archives without an acting user': {
      front: changeRequestBody(
        (asked) => either(RESTORE, ARCHIVE)(asked) && fieldsOf(asked)?.collaborationId === undefined,
        async (body, asked, sandbox) => ({ authorRef: await ownAuthor(asked, sandbox), ...body }),
      ),
      alsoFails: [
        'restore refuses with the statuses listed under Errors',
        'restore answers 422 for a missing, malformed or unknown acting user',
      ],
    },
  },
  'limits/row-request-content-type': {
    'accepts application/xml for a restore': changeHeader(RESTORE, 'content-type', (type) =>
      type === 'application/xml' ? 'application/json' : type,
    ),
  },
};
