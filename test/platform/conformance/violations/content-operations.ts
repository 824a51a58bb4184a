import { restoreSettings } from '../fronts/control';
import { answerOf, changeBody, changeRequest, changeRequestBody, fieldsOf, takeOver } from '../fronts/fronts';
import { CONTENT, DELETE, LIST, PUBLISH, UPDATE } from '../fronts/operations';
import { type ViolationTable } from '../violation';

/** Violations that the checks of the operations that exist find. */
export const CONTENT_OPERATION_VIOLATIONS: ViolationTable = {
  'other-content-operations-that-exist/paragraph-1': {
    'lists a content that does not exist': {
      front: changeBody<unknown[]>(LIST, (contents) => [{ id: 'nothing' }, ...contents]),
      alsoFails: ['a token with api/read lists contents and reads one', 'a token with api/all reads'],
    },
    'keeps a deleted content': {
      front: changeRequest(DELETE, (asked) => ({
        ...asked,
        method: 'PATCH',
        body: JSON.stringify({ ...fieldsOf(asked), description: 'To be deleted' }),
      })),
      alsoFails: [
        'the filter finds a content only by its status in the older vocabulary',
        `restore answers 404 for another tenant's content and for a deleted one`,
      ],
    },
    'changes the description instead of the title': changeRequestBody(UPDATE, ({ title, ...body }) => ({
      ...body,
      description: title,
    })),
  },
  'what-the-service-does/bullet-6': {
    'accepts PUT as PATCH': changeRequest(
      (asked) => CONTENT(asked) && asked.method === 'PUT',
      (asked) => ({ ...asked, method: 'PATCH' }),
    ),
    'has no publish while restore is unavailable': takeOver(PUBLISH, async (asked, sandbox) =>
      (await restoreSettings(asked, sandbox)).available ? sandbox(asked) : answerOf(404, {}),
    ),
  },
};
