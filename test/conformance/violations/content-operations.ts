import { restoreSettings } from '../fronts/control';
import { answerOf, changeBody, changeRequest, changeRequestBody, fieldsOf, takeOver } from '../fronts/fronts';
import { CONTENT, DELETE, LIST, PUBLISH, UPDATE } from '../fronts/operations';
import { type Violation } from '../violation';

/** Violations that the checks of the operations that exist find. */
export const CONTENT_OPERATION_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'other-content-operations-that-exist/paragraph-1',
    violation: 'lists a content that does not exist',
    front: changeBody<unknown[]>(LIST, (contents) => [{ id: 'nothing' }, ...contents]),
    alsoFails: ['a token with api/read lists contents and reads one', 'a token with api/all reads'],
  },
  {
    clause: 'other-content-operations-that-exist/paragraph-1',
    violation: 'keeps a content that is deleted',
    front: changeRequest(DELETE, (asked) => ({
      ...asked,
      method: 'PATCH',
      body: JSON.stringify({ ...fieldsOf(asked), description: 'To be deleted' }),
    })),
    alsoFails: [
      'the filter finds a content by its status in the older vocabulary, and by no other',
      `another tenant's content does not exist, nor does a deleted one`,
    ],
  },
  {
    clause: 'other-content-operations-that-exist/paragraph-1',
    violation: 'changes the description in the place of the title',
    front: changeRequestBody(UPDATE, ({ title, ...body }) => ({ ...body, description: title })),
  },
  {
    clause: 'what-the-service-does/bullet-6',
    violation: 'takes PUT for PATCH',
    front: changeRequest(
      (asked) => CONTENT(asked) && asked.method === 'PUT',
      (asked) => ({ ...asked, method: 'PATCH' }),
    ),
  },
  {
    clause: 'what-the-service-does/bullet-6',
    violation: 'has no publish while restore is yet to come',
    front: takeOver(PUBLISH, async (asked, sandbox) =>
      (await restoreSettings(asked, sandbox)).available ? sandbox(asked) : answerOf(404, {}),
    ),
  },
];
