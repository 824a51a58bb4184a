import { controlOf, ownAuthor, restoreSettings, storedContentOf } from '../fronts/control';
import { answerOf, changeStatus, fieldsOf, whenAnswered } from '../fronts/fronts';
import { type Asks, CONTENT, RESTORE, UPDATE } from '../fronts/operations';
import { type ViolationTable } from '../violation';

const ALL_STATUSES = 'restore refuses with the statuses listed under Errors';

const namesReference: Asks = (asked) =>
  Object.values(fieldsOf(asked) ?? {}).some((value) => typeof value === 'string' && value !== '');

/** Violations that the checks of errors find. */
export const ERROR_VIOLATIONS: ViolationTable = {
  'errors/row-401': {
    'answers 403 to missing or invalid authentication': {
      front: changeStatus(RESTORE, 401, 403),
      alsoFails: [ALL_STATUSES],
    },
  },
  'errors/row-403': {
    'answers 401 to a read-only token': {
      front: changeStatus(RESTORE, 403, 401),
      alsoFails: [ALL_STATUSES],
    },
  },
  'errors/row-404': {
    'answers 409 for a content that does not exist': {
      front: whenAnswered(404, RESTORE, async (asked, sandbox, answer) => {
        const { available } = await restoreSettings(asked, sandbox);
        return available ? { ...answer, status: 409 } : answer;
      }),
      alsoFails: [ALL_STATUSES],
    },
    'restores a deleted content': whenAnswered(404, RESTORE, async (asked, sandbox, answer) => {
      const stored = await storedContentOf(asked, sandbox);
      return stored?.content.deleted ? answerOf(200, { ...stored.content, status: 'published' }) : answer;
    }),
  },
  'errors/row-409': {
    'answers 422 for a content that is not archived': {
      front: changeStatus(RESTORE, 409, 422),
      alsoFails: [
        ALL_STATUSES,
        'a content that was restored cannot be restored again',
        'restore answers 409 unless the content is archived, and restores nothing',
      ],
    },
  },
  'errors/row-415': {
    'answers 400 for a Content-Type other than application/json': {
      front: changeStatus(RESTORE, 415, 400),
      alsoFails: [ALL_STATUSES],
    },
  },
  'errors/row-422': {
    'answers 403 for an unknown or foreign reference': changeStatus(
      (asked) => RESTORE(asked) && namesReference(asked),
      422,
      403,
    ),
  },
  'errors/row-502': {
    'answers 503 when a service it depends on fails': changeStatus(CONTENT, 502, 503),
  },
  'errors/row-default': {
    'answers 502 to a system failure': changeStatus(CONTENT, 500, 502),
  },
  'errors/rule-1': {
    'changes the content although it answers 502': whenAnswered(
      502,
      UPDATE,
      async (asked, sandbox, answer) => {
        await controlOf(asked, sandbox)('DELETE', 'faults');
        await sandbox(asked);
        return answer;
      },
    ),
  },
  'errors/rule-2': {
    'changes the content although a reference fails validation': {
      front: whenAnswered(
        422,
        (asked) => UPDATE(asked) && typeof fieldsOf(asked)?.authorRef === 'string',
        async (asked, sandbox, answer) => {
          const body = { ...fieldsOf(asked), authorRef: await ownAuthor(asked, sandbox) };
          await sandbox({ ...asked, body: JSON.stringify(body) });
          return answer;
        },
      ),
      alsoFails: ['every write refuses a reference of another organization and writes nothing'],
    },
  },
};
