import { storedContentOf } from '../fronts/control';
import { changeRequest, whenAnswered } from '../fronts/fronts';
import { LIST, RESTORE, withPath } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';
import { NO_ITEMS } from './content-record';

/** Filters by another status than requested. */
const filtersBy = (status: string, other: string): Front =>
  changeRequest(LIST, (asked) => ({
    ...asked,
    url: asked.url.replace(`statuses=${status}`, `statuses=${other}`),
  }));

/** Restores contents with this status as if they were archived. */
const restoresIn = (status: string): Front =>
  whenAnswered(409, RESTORE, async (asked, sandbox, answer) => {
    const stored = await storedContentOf(asked, sandbox);
    if (stored?.content.status !== status) return answer;
    await sandbox(withPath(asked, (path) => path.replace(/restore$/, 'archive')));
    return sandbox(asked);
  });

/** Violations that the checks of statuses and transitions find. */
export const LIFECYCLE_VIOLATIONS: ViolationTable = {
  'status-vocabularies/bullet-2': {
    'does not filter by deleted': filtersBy('deleted', 'removed'),
  },
  'states-and-transitions/row-archived': NO_ITEMS,
  'states-and-transitions/row-any-state-other-than-archived': {
    'restores a published content': {
      front: restoresIn('published'),
      alsoFails: ['restore answers 409 for a restored content until it is archived again'],
    },
  },
};
