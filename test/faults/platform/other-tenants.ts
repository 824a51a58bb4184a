import { otherTenants } from '../support/arrangement';
import { assertCommonSet } from '../support/common-set';
import { oauthError, type Turn } from '../support/platform-double';
import { inBothWorlds } from '../support/token-row';
import { drawSituation, type Situation } from '../support/world';

const FAILURES = {
  '429': () => oauthError(429, 'x', { 'retry-after': '2' }),
  '503': () => oauthError(503),
  '401': () => oauthError(401, 'invalid_client'),
  hang: () => ({ kind: 'silence', after: 'request' }),
} satisfies Record<string, Turn>;

interface Variant extends Situation {
  failure: keyof typeof FAILURES;
}

/** F37. Hundreds of tenants, for hours: test/simulation/partial-outages.test.ts. */
export const OTHERS_FAIL = inBothWorlds<Variant>({
  id: 'F37',
  fault: 'the platform fails other tenants, more than a sweep asks for at once',
  variant: (draw, where) => ({
    ...drawSituation(draw, { action: 'sweep' }),
    others: where === 'wire' ? 33 : draw.integer(33, 60),
    failure: draw.oneOf(where === 'wire' ? ['503', '401'] : ['hang', '503', '429', '401']),
  }),
  async run(world, { failure, others }) {
    for (const tenantId of otherTenants(others)) world.platform.byTenant.set(tenantId, FAILURES[failure]);

    const { answer } = await world.invoke('sweep', 30_000);

    expect(answer).toMatchObject({ refreshed: 1, failed: others });
    expect(world.versions()).toHaveLength(world.before.length + 1);
    expect(world.platform.requests.filter(({ tenantId }) => tenantId === world.key.tenantId)).toHaveLength(1);
    assertCommonSet(world);
  },
  hole: {
    words: 'what fails for one tenant counts as failed for all',
    with: { failure: 'hang' },
    open(world) {
      world.between = (ports) => {
        const { outages } = ports.memory;
        const { remember, find } = outages;
        outages.remember = (_, ...outage) => remember.call(outages, 'all', ...outage);
        outages.find = (_, now) => find.call(outages, 'all', now);
        return ports;
      };
    },
  },
});
