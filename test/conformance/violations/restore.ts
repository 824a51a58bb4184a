import { type StoredContent } from '../../../conformance/stored-contents';
import { controlOf, ownAuthor, recordedChanges, storedContentOf } from '../fronts/control';
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
import { type Front, type Violation } from '../violation';

/** Restores every archived content of the tenant along with the one that is meant. */
const restoresAll: Front = changeAnswer(RESTORE, async (answer, asked, sandbox) => {
  const stored = answer.status === 200 ? await storedContentOf(asked, sandbox) : undefined;
  if (!stored) return answer;
  const { environment, platformRegion, tenantId } = stored.tenant;
  const { contents } = await controlOf(asked, sandbox)<{ contents: StoredContent[] }>(
    'GET',
    `contents/${environment}/${platformRegion}/${tenantId}`,
  );
  for (const { id } of contents.filter(({ status, deleted }) => status === 'archived' && !deleted)) {
    await sandbox(withPath(asked, (path) => path.replace(stored.content.id, id)));
  }
  return answer;
});

/** Violations that the checks of restore find. */
export const RESTORE_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'restore-archived-content/bullet-1',
    violation: 'does not list a content that was restored',
    front: changeBody<{ id: string }[]>(LIST, async (contents, ...ask) => {
      const changes = await recordedChanges(...ask);
      const restored = changes.filter(({ operation }) => operation === 'restore');
      return contents.filter(({ id }) => !restored.some(({ contentId }) => contentId === id));
    }),
  },
  {
    clause: 'restore-archived-content/bullet-2',
    violation: 'restores every archived content of the tenant at once',
    front: restoresAll,
  },
  {
    clause: 'restore-archived-content/bullet-3',
    violation: 'answers 500 to a body that is not JSON',
    front: changeStatus(RESTORE, 400, 500),
  },
  {
    clause: 'restore-archived-content/bullet-4',
    violation: 'answers a restore with the status restored',
    front: changeBody(RESTORE, (record) => ({ ...record, status: 'restored' })),
    alsoFails: [
      'the record has the lifecycle status: published after restore, archived after archive',
      'an archived content that is restored is published, and the answer is its record with its items',
    ],
  },
  {
    clause: 'restore-archived-content/bullet-5',
    violation: 'takes no Basic authentication for a restore',
    front: answerInstead(both(RESTORE, BASIC), 401),
  },
  {
    clause: 'restore-archived-content/bullet-6',
    violation: 'answers 400 where no reference is supplied',
    front: changeStatus((asked) => RESTORE(asked) && asked.body === '{}', 422, 400),
    alsoFails: ['restore answers 422 for an acting user that is missing, of a wrong type, or unknown'],
  },
  {
    clause: 'limits/row-acting-user',
    violation: 'restores and archives for nobody',
    front: changeRequestBody(
      (asked) => either(RESTORE, ARCHIVE)(asked) && fieldsOf(asked)?.collaborationId === undefined,
      async (body, asked, sandbox) => ({ authorRef: await ownAuthor(asked, sandbox), ...body }),
    ),
    alsoFails: [
      'restore refuses with the statuses that are listed under Errors',
      'restore answers 422 for an acting user that is missing, of a wrong type, or unknown',
    ],
  },
  {
    clause: 'limits/row-request-content-type',
    violation: 'takes application/xml for a restore',
    front: changeHeader(RESTORE, 'content-type', (type) =>
      type === 'application/xml' ? 'application/json' : type,
    ),
  },
];
