import { CommandError } from '../../../cli/command-error';
import { type Tally } from '../../../cli/restore/plan';
import { exitCodeOf, type Summary, summaryDocument, summaryText } from '../../../cli/restore/bulk-report';
import { commandText } from '../../../cli/command-text';
import { PLAIN } from '../../../cli/style';

function tally(outcomes: Record<string, number>, left = 0): Tally {
  const { restored = 0, outcome_unknown: unknown = 0, ...failures } = outcomes;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return { restored, failed, unknown, left, outcomes, withItemsInError: 0, withOtherStatus: 0 };
}

const summary = (more: Partial<Summary>): Summary => ({
  tenant: { environment: 'staging', platformRegion: 'mea', tenantId: 'tenant-1' },
  tally: tally({ restored: 3 }),
  duplicates: 0,
  results: 'ids.txt.results.jsonl',
  stopped: undefined,
  command: 'latchkey restore --from ids.txt',
  ...more,
});
const stopped = new CommandError(69, 'platform_failed', 'why it stopped', { advice: 'What to do.' });

describe('the exit code of a bulk restore', () => {
  it.each<[string, Record<string, number>, number, CommandError | undefined, number]>([
    ['all are restored', { restored: 3 }, 0, undefined, 0],
    ['any is unknown', { restored: 1, outcome_unknown: 1, content_not_found: 1 }, 2, stopped, 75],
    ['all that failed were refused', { restored: 1, forbidden: 2 }, 0, undefined, 77],
    ['all failures are of the platform', { platform_failed: 1, api_unreachable: 1 }, 0, undefined, 69],
    ['they failed for several reasons', { platform_failed: 1, forbidden: 1 }, 0, undefined, 1],
    ['they were refused for themselves', { not_archived: 1 }, 0, undefined, 1],
    ['it stopped', { restored: 1, not_archived: 1, platform_failed: 5 }, 4, stopped, 69],
    ['it was interrupted', { restored: 1 }, 4, undefined, 1],
  ])('where %s', (_, outcomes, left, stop, exitCode) => {
    expect(exitCodeOf({ tally: tally(outcomes, left), stopped: stop })).toBe(exitCode);
  });
});

describe('the summary of a bulk restore', () => {
  it('has no next steps if all are restored', () => {
    expect(summaryText(summary({}), PLAIN)).toBe(
      '✓ 3 of 3 restored, tenant tenant-1, staging mea\n  restored  3\nResults: ids.txt.results.jsonl',
    );
  });

  it('names each outcome, why it stopped, and the commands to continue', () => {
    const whole = summary({
      tally: tally({ restored: 5, content_not_found: 2, outcome_unknown: 1 }, 4),
      duplicates: 2,
      stopped,
    });

    const text = summaryText(whole, PLAIN);

    expect(text).toContain('✗ 5 of 12 restored');
    expect(text).toMatch(/content_not_found +2\n +outcome_unknown +1\n +4 not sent yet/);
    expect(text).toContain('2 duplicate lines in the list');
    expect(text).toContain('Stopped: why it stopped\nWhat to do.');
    expect(summaryDocument(whole)).toMatchObject({
      left: 4,
      stopped: { code: 'platform_failed' },
      next: [
        'latchkey restore --from ids.txt',
        'latchkey restore --from ids.txt --retry-unknown',
        'latchkey restore --from ids.txt --retry-failed',
      ],
    });
  });

  it('counts contents restored with items in error', () => {
    const withErrors = summary({ tally: { ...tally({ restored: 3 }), withItemsInError: 2 } });

    expect(summaryText(withErrors, PLAIN)).toBe(
      '✓ 3 of 3 restored, tenant tenant-1, staging mea\n  restored  3\n' +
        '  2 restored with items in error: see itemsInError in the results\nResults: ids.txt.results.jsonl',
    );
    expect(summaryDocument(withErrors)).toMatchObject({ restored: 3, withItemsInError: 2 });
  });

  it('explains not_archived, without a command', () => {
    const already = summary({ tally: tally({ restored: 1, not_archived: 2 }) });

    const text = summaryText(already, PLAIN);

    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /not_archived: .*most likely an earlier request .*\. .*archived again/,
    );
    expect(text).not.toContain('--retry');
    expect(summaryDocument(already)).toMatchObject({ failed: 2, next: [] });
  });

  it('quotes commands for a shell', () => {
    expect(
      commandText(
        'restore',
        { '--from': 'my ids.txt', '--results': undefined, '--author-ref': "jo's" },
        '--local',
      ),
    ).toBe(`latchkey restore --from 'my ids.txt' --author-ref 'jo'\\''s' --local`);
  });
});
