import { type Probe, verdictOf } from '../probe';
import { basic, changeOf, loadNew, outcomeOf, PUBLISHED, restore } from '../with-latchkey';

/** The restore API reads the key again after ten seconds. */
const READ_AGAIN_SEC = 30;

export const apiKeyChange: Probe = {
  id: 'api-key-change',
  group: 'journeys',
  subject: 'A new API key',
  reliedOn:
    'the restore API accepts it at once, and the one before for its grace period; with `--revoke-previous`, that one gets 401',
  otherwise: 'callers are locked out during a rotation, or a leaked key goes on to open the restore API',
  needs: 'latchkey',
  async look({ latchkey, time }) {
    const tenant = latchkey.tenants[0]!;
    const outcomeWith = async (apiKey: string) =>
      outcomeOf(await restore(latchkey, tenant, { headers: basic(tenant, apiKey) }));
    const within = async (apiKey: string, wanted: string) => {
      let outcome = '';
      await time.until(
        async () => {
          outcome = await outcomeWith(apiKey);
          return outcome === wanted || undefined;
        },
        { withinSec: READ_AGAIN_SEC },
      );
      return outcome;
    };

    const first = await tenant.apiKey();
    const put = changeOf(await loadNew(latchkey, tenant, 'api-key'));
    const second = await tenant.apiKey();
    const accepted = [await within(second, PUBLISHED), await outcomeWith(first)];
    const putAgain = changeOf(await loadNew(latchkey, tenant, 'api-key', '--revoke-previous'));
    const revoked = await within(second, '401 unauthorized');
    const third = await within(await tenant.apiKey(), PUBLISHED);

    const seen = `new: ${accepted[0]}; the one before: ${accepted[1]}; revoked: ${revoked}; the latest: ${third}`;
    return verdictOf(
      [put, putAgain].every((change) => change === 'exit code 0, promoted') &&
        [...accepted, third].every((outcome) => outcome === PUBLISHED) &&
        revoked === '401 unauthorized',
      seen,
    );
  },
};
