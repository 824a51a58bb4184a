import { controlOf, restoreSettings } from '../fronts/control';
import { changeBody, changeRequest, takeOver } from '../fronts/fronts';
import { changeTokenRequest } from '../fronts/issued';
import { cellOf, LIST, RESTORE } from '../fronts/operations';
import { type Front, type Violation } from '../violation';

/** Restores while restore is yet to come. */
const restoresEarly = ({ answering }: { answering?: number } = {}): Front =>
  takeOver(RESTORE, async (asked, sandbox) => {
    if ((await restoreSettings(asked, sandbox)).available) return sandbox(asked);
    const control = controlOf(asked, sandbox);
    await control('POST', 'restore', { available: true });
    const answer = await sandbox(asked);
    await control('POST', 'restore', { available: false });
    return { ...answer, status: answering ?? answer.status };
  });

/** Violations that the checks of what may change find. */
export const VERSIONING_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'versioning/bullet-1',
    violation: 'has restore while that is yet to come',
    front: restoresEarly(),
    alsoFails: ['besides the six operations that exist today there is none, while restore is yet to come'],
  },
  {
    clause: 'what-the-service-does/bullet-5',
    violation: 'restores while that is yet to come, although it answers 404',
    front: restoresEarly({ answering: 404 }),
  },
  {
    clause: 'versioning/bullet-3',
    violation: 'filters by draft',
    front: changeRequest(LIST, (asked) => ({
      ...asked,
      url: asked.url.replace('statuses=draft', 'statuses=created'),
    })),
  },
  {
    clause: 'versioning/bullet-3',
    violation: 'lists contents in the shape of the record',
    front: changeBody<{ id: string }[]>(LIST, (contents) =>
      contents.map(({ id }) => ({ id, status: 'published', items: [] })),
    ),
  },
  {
    clause: 'versioning/bullet-4',
    violation: 'accepts the credentials of one environment in the other',
    front: changeTokenRequest(({ body, asked }, issued) => {
      const credential = issued.find(({ clientId }) => clientId === body.client_id);
      const isOfRegion = credential?.platformRegion === cellOf(asked).platformRegion;
      return isOfRegion ? { cell: credential } : {};
    }),
    alsoFails: ['staging/global', 'staging/mea', 'production/global', 'production/mea'].map(
      (cell) => `${cell} has a token base of its own for each interface`,
    ),
  },
];
