import { changeBody, changeRequest, fieldsOf } from '../fronts/fronts';
import { DELETE, LIST } from '../fronts/operations';
import { type ViolationTable } from '../violation';

/** Violations that the checks of the operations that exist find. */
export const CONTENT_OPERATION_VIOLATIONS: ViolationTable = {
  'other-content-operations-that-exist/paragraph-1': {
    'lists a content that does not exist': {
      front: changeBody<unknown[]>(LIST, (contents) => [{ id: 'nothing' }, ...contents]),
      alsoFails: ['a token with api/read lists contents and reads one', 'a token with api/all reads'],
    },
    'keeps a deleted content': changeRequest(DELETE, (asked) => ({
      ...asked,
      method: 'PATCH',
      body: JSON.stringify({ ...fieldsOf(asked), description: 'To be deleted' }),
    })),
  },
};
