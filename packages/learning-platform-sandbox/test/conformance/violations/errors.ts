import { ownAuthor } from '../fronts/control';
import { changeStatus, fieldsOf, whenAnswered } from '../fronts/fronts';
import { type Asks, RESTORE } from '../fronts/operations';
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
      front: changeStatus(RESTORE, 404, 409),
      alsoFails: [ALL_STATUSES],
    },
  },
  'errors/row-409': {
    'answers 422 for a content that is not archived': {
      front: changeStatus(RESTORE, 409, 422),
      alsoFails: [ALL_STATUSES],
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
  'errors/rule-2': {
    'restores the content although a reference fails validation': whenAnswered(
      422,
      (asked) => RESTORE(asked) && namesReference(asked),
      async (asked, sandbox, answer) => {
        await sandbox({ ...asked, body: JSON.stringify({ authorRef: await ownAuthor(asked, sandbox) }) });
        return answer;
      },
    ),
  },
};
