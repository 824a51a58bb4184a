import { changeBody } from '../fronts/fronts';
import { control } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

/** Records the Authorization header of each request, and lists it with the requests. */
const tellsAuthorization: Front = (sandbox) => {
  const authorizations: (string | undefined)[] = [];
  const remembering = changeBody(control('GET', 'requests'), (body) => ({ ...body, authorizations }))(
    sandbox,
  );
  return (asked) => {
    authorizations.push(asked.headers?.authorization);
    return remembering(asked);
  };
};

/** Violations that the check of secrecy finds. */
export const SECRECY_VIOLATIONS: ViolationTable = {
  'common-rules/rule-2': {
    'records the Authorization header of each request': tellsAuthorization,
  },
};
