import { ItemFailures } from '../../../src/sandbox/content/processing';
import { TENANT } from '../platform-under-test';

test('the oldest matching failure is used up first, and remaining times are kept', () => {
  const failures = new ItemFailures();
  const other = { match: { platformRegion: 'global' }, reason: 'c', times: 1 } as const;
  failures.add({ match: { type: 'video' }, reason: 'a', times: 1 });
  failures.add({ match: { environment: 'staging', tenantId: TENANT.tenantId }, reason: 'b', times: 2 });
  failures.add(other);

  const reasons = (['quiz', 'video', 'video', 'video'] as const).map((type) =>
    failures.take({ ...TENANT, type }),
  );

  expect(reasons).toEqual(['b', 'a', 'b', undefined]);
  expect(failures.all()).toEqual([other]);
});
