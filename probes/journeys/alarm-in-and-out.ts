import { tenantAlarmName } from '../../contract/alarms';
import { afterMinutes, minutesUntil } from '../alarm';
import { type Probe, verdictOf } from '../probe';
import { prefixOf } from '../with-latchkey';

/** A token is renewed less than an hour after it was requested; the sweep and the alarm can each be some minutes late. */
const RENEWED_SEC = 4500;
/** The next sweep renews; the alarm looks back ten minutes. */
const CLEARED_SEC = 1800;

export const alarmInAndOut: Probe = {
  id: 'alarm-in-and-out',
  group: 'journeys',
  subject: 'The alarm of a tenant whose credential the platform refuses',
  reliedOn:
    'in alarm once a renewal is refused, at most 75 minutes later, and OK again at most 30 minutes after the platform accepts it',
  otherwise: 'nobody learns that tokens are no longer renewed, or the alarm never ends',
  needs: 'latchkey',
  slow: true,
  async look(system) {
    const { latchkey } = system;
    const { environment, platformRegion, sandbox } = latchkey;
    const tenant = latchkey.tenants[0]!;
    const key = { environment, platformRegion, tenantId: tenant.tenantId };
    const name = tenantAlarmName(prefixOf(latchkey), key, 'credential-refused');
    await sandbox.call('POST', '/faults', {
      ...{ target: 'token', match: key, status: 401, body: { error: 'invalid_client' } },
    });
    try {
      const alarmed = await minutesUntil(system, name, 'ALARM', RENEWED_SEC);
      await sandbox.call('DELETE', '/faults');
      const cleared = await minutesUntil(system, name, 'OK', CLEARED_SEC);
      return verdictOf(
        alarmed !== undefined && cleared !== undefined,
        `in alarm ${afterMinutes(alarmed)}; OK again ${afterMinutes(cleared)}`,
      );
    } finally {
      await sandbox.call('DELETE', '/faults');
    }
  },
};
