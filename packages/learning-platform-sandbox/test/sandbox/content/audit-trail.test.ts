import { AuditTrail } from '../../../src/sandbox/content/audit-trail';
import { TENANT } from '../platform-under-test';

test('the audit trail keeps the last changes, oldest first', () => {
  const trail = new AuditTrail(2);

  for (const contentId of ['1', '2', '3']) {
    trail.record({ ...TENANT, contentId, at: '', operation: 'update', actingUser: 'ann', owner: 'ann' });
  }

  expect(trail.all().map(({ contentId }) => contentId)).toEqual(['2', '3']);
});
