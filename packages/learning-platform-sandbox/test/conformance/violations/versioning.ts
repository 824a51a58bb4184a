import { changeBody, changeRequest } from '../fronts/fronts';
import { LIST } from '../fronts/operations';
import { type ViolationTable } from '../violation';

/** Violations that the checks of what may change find. */
export const VERSIONING_VIOLATIONS: ViolationTable = {
  'versioning/bullet-3': {
    'filters by draft': changeRequest(LIST, (asked) => ({
      ...asked,
      url: asked.url.replace('statuses=draft', 'statuses=created'),
    })),
    "returns the record's shape in lists": changeBody<{ id: string }[]>(LIST, (contents) =>
      contents.map(({ id }) => ({ id, status: 'published', items: [] })),
    ),
  },
};
