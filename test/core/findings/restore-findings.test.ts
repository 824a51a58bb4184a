import { type Availability } from '../../../core/restore/restore-operation';
import { inspect } from '../../../core/findings/inspect';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { namesOf, snapshotOf } from './snapshots';

function findingsOf(available: boolean, availability?: Availability, flags?: string) {
  const snapshot = snapshotOf();
  snapshot.deployment.restore = { ...snapshot.deployment.restore, available };
  if (availability !== undefined) snapshot.restore = { availability, reason: 'it answered 404' };
  return inspect({ snapshot, nowMs: NOON_MS, ...(flags !== undefined && { flags }) });
}

test.each<[boolean, Availability | undefined, string[]]>([
  [true, 'absent', ['critical restore_absent']],
  [true, 'offered', []],
  [true, 'refused', ['warning restore_refused']],
  [true, 'undetermined', []],
  [true, undefined, []],
  [false, 'offered', ['warning restore_offered']],
  [false, 'absent', []],
  [false, 'refused', []],
])('with restore.available %s, "%s" is found as %j', (available, availability, found) => {
  expect(namesOf(findingsOf(available, availability))).toEqual(found);
});

test('names the operation, what the platform did, and what to change', () => {
  expect(findingsOf(true, 'absent')).toMatchObject([
    {
      message: 'The platform does not offer restore as POST /contents/{contentId}/restore: it answered 404.',
      repair: {
        remedy: expect.stringContaining('restore.path') as string,
        command: expect.stringMatching(/^npx cdk deploy/) as string,
      },
      place: { environment: 'staging', platformRegion: 'mea' },
    },
  ]);
});

test('on a laptop, says what to change before a new start', () => {
  const [absent] = findingsOf(true, 'absent', '--local');

  expect(absent!.repair.remedy).toMatch(/^Set restore\.method .* to false\. Stop the laptop system/);
  expect(absent!.repair.command).toBeUndefined();
});
