import { controlOf, restoreSettings } from '../fronts/control';
import { changeBody, changeRequest, takeOver } from '../fronts/fronts';
import { changeTokenRequest } from '../fronts/issued';
import { deploymentKeyOf, LIST, RESTORE } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

/** Restores while restore is unavailable. */
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
export const VERSIONING_VIOLATIONS: ViolationTable = {
  'versioning/bullet-1': {
    'has restore before it is available': {
      front: restoresEarly(),
      alsoFails: ['while restore is unavailable, there are no operations besides the six existing ones'],
    },
  },
  'what-the-service-does/bullet-5': {
    'restores before it is available, although it answers 404': restoresEarly({ answering: 404 }),
  },
  'versioning/bullet-3': {
    'filters by draft': changeRequest(LIST, (asked) => ({
      ...asked,
      url: asked.url.replace('statuses=draft', 'statuses=created'),
    })),
    "returns the record's shape in lists": changeBody<{ id: string }[]>(LIST, (contents) =>
      contents.map(({ id }) => ({ id, status: 'published', items: [] })),
    ),
  },
  'versioning/bullet-4': {
    'accepts the credentials of one environment in the other': {
      front: changeTokenRequest(({ asked, credential }) => {
        const isOfRegion = credential?.platformRegion === deploymentKeyOf(asked).platformRegion;
        return isOfRegion ? { deploymentKey: credential } : {};
      }),
      alsoFails: ['staging/global', 'staging/mea', 'production/global', 'production/mea'].map(
        (deploymentKey) => `${deploymentKey} has its own token base for each interface`,
      ),
    },
  },
};
