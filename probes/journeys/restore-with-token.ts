import { type Probe, verdictOf } from '../probe';
import { accessTokenOf, bearer, outcomeOf, PUBLISHED, restore, tokenWith } from '../with-latchkey';

export const restoreWithToken: Probe = {
  id: 'restore-with-token',
  group: 'journeys',
  subject: 'A restore with a token that Latchkey stores',
  reliedOn:
    "`api/write` restores contents of its tenant; `api/read` gets 403; for another tenant's content 401",
  otherwise: 'callers cannot restore, or those who should not can',
  needs: 'latchkey',
  async look(system) {
    const { latchkey } = system;
    const [tenant, other] = latchkey.tenants;
    const service = await system.as(latchkey.roles.service);
    const write = bearer(await accessTokenOf(service, tokenWith(tenant!, 'api/write')));
    const read = bearer(await accessTokenOf(service, tokenWith(tenant!, 'api/read')));
    const seen = [
      outcomeOf(await restore(latchkey, tenant!, { headers: write })),
      outcomeOf(await restore(latchkey, tenant!, { headers: read })),
      outcomeOf(await restore(latchkey, other!, { headers: write })),
    ].join(', ');
    return verdictOf(seen === `${PUBLISHED}, 403 forbidden, 401 unauthorized`, seen);
  },
};
