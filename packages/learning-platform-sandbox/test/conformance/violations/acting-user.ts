import { ownAuthor, storedContentOf } from '../fronts/control';
import { changeRequestBody } from '../fronts/fronts';
import { type Asks, DELETE, either, RESTORE, UPDATE } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

/** Performs a write without authorRef. */
const needsNoAuthor = (is: Asks): Front =>
  changeRequestBody(is, async (body, asked, sandbox) => ({
    authorRef: await ownAuthor(asked, sandbox),
    ...body,
  }));

/** Accepts every reference in a restore as if it belonged to the tenant. */
const takesAnyReference: Front = changeRequestBody(RESTORE, async (body, asked, sandbox) => {
  const stored = await storedContentOf(asked, sandbox);
  if (!stored) return body;
  const known = (reference: unknown, own: string) =>
    typeof reference === 'string' && reference !== '' ? own : reference;
  return {
    ...body,
    authorRef: known(body.authorRef, stored.tenant.authorRefs[0]),
    collaborationId: known(body.collaborationId, stored.tenant.collaborationIds[0]),
  };
});

/** Violations that the checks of the acting user find. */
export const ACTING_USER_VIOLATIONS: ViolationTable = {
  'acting-user-object/rule-3': {
    'accepts an unknown reference for a restore': {
      front: takesAnyReference,
      alsoFails: ['restore answers 422 for a missing, malformed or unknown acting user'],
    },
  },
  'acting-user-object/rule-4': {
    'changes and deletes a content without authorRef': needsNoAuthor(either(UPDATE, DELETE)),
  },
};
