import { CommandError } from '../../../cli/command-error';
import { showSummary, type Summary } from '../../../cli/restore/bulk-report';
import { type Tally } from '../../../cli/restore/plan';
import { FakeTerminal } from '../support/fake-terminal';

function tally(outcomes: Record<string, number>, left = 0): Tally {
  const { restored = 0, outcome_unknown: unknown = 0, ...failures } = outcomes;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return { restored, failed, unknown, left, outcomes, withItemsInError: 0, withOtherStatus: 0 };
}

function show(summary: Partial<Summary>) {
  const terminal = new FakeTerminal();
  const exitCode = showSummary(terminal, {
    tenant: { environment: 'staging', platformRegion: 'mea', tenantId: 'tenant-1' },
    tally: tally({ restored: 3 }),
    duplicates: 0,
    results: 'ids.txt.results.jsonl',
    stopped: undefined,
    command: 'latchkey restore --from ids.txt',
    ...summary,
  });
  return { exitCode, ...terminal.results[0]! };
}
const stopped = new CommandError(69, 'platform_failed', 'why it stopped', { advice: 'What to do.' });

describe('the summary of a bulk restore', () => {
  it.each<[string, Record<string, number>, number, CommandError | undefined, number]>([
    ['any is unknown', { restored: 1, outcome_unknown: 1, content_not_found: 1 }, 2, stopped, 75],
    ['all failures are of the platform', { platform_failed: 1, api_unreachable: 1 }, 0, undefined, 69],
    ['they failed for several reasons', { platform_failed: 1, forbidden: 1 }, 0, undefined, 1],
    ['it stopped', { restored: 1, not_archived: 1, platform_failed: 5 }, 4, stopped, 69],
    ['it was interrupted', { restored: 1 }, 4, undefined, 1],
  ])('ends with its own exit code where %s', (_, outcomes, left, stop, exitCode) => {
    expect(show({ tally: tally(outcomes, left), stopped: stop }).exitCode).toBe(exitCode);
  });

  it('counts contents restored with items in error, and has no next steps if all are restored', () => {
    const { exitCode, text, document } = show({ tally: { ...tally({ restored: 3 }), withItemsInError: 2 } });

    expect(exitCode).toBe(0);
    expect(text).toBe(
      '✓ 3 of 3 restored, tenant tenant-1, staging mea\n  restored  3\n' +
        '  2 restored with items in error: see itemsInError in the results\nResults: ids.txt.results.jsonl',
    );
    expect(document).toMatchObject({ restored: 3, withItemsInError: 2, next: [] });
  });

  it('names each outcome, why it stopped, and the commands to continue', () => {
    const { text, document } = show({
      tally: tally({ restored: 5, content_not_found: 2, outcome_unknown: 1 }, 4),
      duplicates: 2,
      stopped,
    });

    expect(text).toContain('✗ 5 of 12 restored');
    expect(text).toMatch(/content_not_found +2\n +outcome_unknown +1\n +4 not sent yet/);
    expect(text).toContain('2 duplicate lines in the list');
    expect(text).toContain('Stopped: why it stopped\nWhat to do.');
    expect(document).toMatchObject({
      left: 4,
      stopped: { code: 'platform_failed' },
      next: [
        'latchkey restore --from ids.txt',
        'latchkey restore --from ids.txt --retry-unknown',
        'latchkey restore --from ids.txt --retry-failed',
      ],
    });
  });

  it('explains not_archived, without a command', () => {
    const { exitCode, text, document } = show({ tally: tally({ restored: 1, not_archived: 2 }) });

    expect(exitCode).toBe(1);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /not_archived: .*most likely an earlier request .*\. .*archived again/,
    );
    expect(text).not.toContain('--retry');
    expect(document).toMatchObject({ failed: 2, next: [] });
  });
});
