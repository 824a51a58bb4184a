import { type Probe, verdictOf } from '../probe';
import { accessTokenOf, changeOf, loadNew, statusOfList, tokenWith, valueOf } from '../with-latchkey';

/** Tokens are renewed right after the rotation. */
const RENEWED_SEC = 120;

export const credentialRotation: Probe = {
  id: 'credential-rotation',
  group: 'journeys',
  subject: 'New client credentials while tokens of the old ones are in use',
  reliedOn:
    '`credentials put` proves them, and rotates; tokens of the old ones work until new ones are stored, and nothing fails in between',
  otherwise: 'each rotation interrupts services',
  needs: 'latchkey',
  async look(system) {
    const { latchkey, time } = system;
    const tenant = latchkey.tenants[0]!;
    const service = await system.as(latchkey.roles.service);
    const token = tokenWith(tenant, 'api/read');
    const before = await accessTokenOf(service, token);
    const rotated = changeOf(await loadNew(latchkey, tenant, 'client-credentials'));
    const [old, current] = await Promise.all(
      ['AWSPREVIOUS', 'AWSCURRENT'].map((stage) =>
        valueOf<{ clientId: string }>(system.aws, tenant.secrets['client-credentials'], stage),
      ),
    );
    const statuses = [await statusOfList(latchkey, before)];
    const after = await time.until(
      async () => {
        const now = await accessTokenOf(service, token);
        statuses.push(await statusOfList(latchkey, now));
        return now === before ? undefined : now;
      },
      { withinSec: RENEWED_SEC },
    );
    return verdictOf(
      rotated === 'exit code 0, promoted' &&
        old!.clientId !== current!.clientId &&
        after !== undefined &&
        statuses.every((status) => status === 200),
      `${rotated}; ${after === undefined ? 'no new token' : 'a new token'}; statuses ${[...new Set(statuses)].join(', ')}`,
    );
  },
};
