import { type Probe, verdictOf } from '../probe';
import { basic, outcomeOf, PUBLISHED, restore } from '../with-latchkey';

export const restoreWithApiKey: Probe = {
  id: 'restore-with-api-key',
  group: 'journeys',
  subject: 'A restore with Basic authentication',
  reliedOn:
    "the tenant's API key restores its contents; without a key, with a wrong one and for another tenant: 401",
  otherwise: 'callers cannot restore, or those who should not can',
  needs: 'latchkey',
  async look({ latchkey }) {
    const [tenant, other] = latchkey.tenants;
    const apiKey = await tenant!.apiKey();
    const answers = [
      await restore(latchkey, tenant!, { headers: basic(tenant!, apiKey) }),
      await restore(latchkey, tenant!, {}),
      await restore(latchkey, tenant!, { headers: basic(tenant!, 'wrong') }),
      await restore(latchkey, other!, { headers: basic(tenant!, apiKey) }),
    ];
    const [first, ...refused] = answers.map(outcomeOf);
    return verdictOf(
      first === PUBLISHED && refused.every((outcome) => outcome === '401 unauthorized'),
      `with the key: ${first}; the others: ${refused.join(', ')}`,
    );
  },
};
