import { type Probe, verdictOf } from '../probe';
import { basic, outcomeOf, restore, runJson } from '../with-latchkey';

/** CloudWatch Logs finds a line after some seconds. */
const LOGGED_SEC = 120;

interface Entry {
  readonly code?: string;
  readonly scheme?: string;
  readonly authorRef?: string;
}

export const restoreHistory: Probe = {
  id: 'restore-history',
  group: 'journeys',
  subject: 'Who restored what, after a restore with an API key',
  reliedOn:
    '`latchkey restore history` shows it within two minutes, once, with its outcome, the way of authentication and the acting user',
  otherwise: 'nobody can say who restored a content',
  needs: 'latchkey',
  async look({ latchkey, time }) {
    const tenant = latchkey.tenants[0]!;
    const author = await tenant.author();
    const contentId = await tenant.archivedContent();
    const headers = basic(tenant, await tenant.apiKey());
    const outcome = outcomeOf(await restore(latchkey, tenant, { headers }, contentId));
    const args = ['restore', 'history', '--tenant', tenant.tenantId, '--content-id', contentId];
    const found = await time.until(
      async () => {
        const { restores = [] } = (await runJson(latchkey, args)).document as { restores?: Entry[] };
        return restores.length > 0 ? restores : undefined;
      },
      { withinSec: LOGGED_SEC },
    );

    const entry = found?.[0];
    const isComplete =
      found?.length === 1 &&
      entry?.code === 'restored' &&
      entry.scheme === 'basic' &&
      entry.authorRef === author;
    return verdictOf(
      isComplete,
      `${outcome}; in the history: ${found?.length ?? 0}${isComplete ? ', with outcome, scheme and acting user' : ''}`,
    );
  },
};
