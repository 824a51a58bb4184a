import { type RestoreAnswer } from '../../../cli/restore/answer';
import { tallyOf } from '../../../cli/restore/plan';
import { RunProgress } from '../../../cli/restore/progress';
import { FakeTerminal } from '../support/fake-terminal';
import { problem } from './support/fake-restore-api';
import { idsOf, Restoring } from './support/restoring';

const RESTORED = { outcome: 'restored' } as RestoreAnswer;

describe('the progress of a bulk restore', () => {
  let nowMs: number;
  beforeEach(() => (nowMs = 0));
  const progressAt = (terminal: FakeTerminal, left: number) =>
    new RunProgress(terminal, () => nowMs, { ...tallyOf([], () => undefined), left });

  it.each([
    ['an occasional line', false, 5],
    ['drawn each time on a terminal', true, 32],
  ])('is %s', (_, isInteractive, lines) => {
    const terminal = new FakeTerminal({ isInteractive });
    const progress = progressAt(terminal, 30);

    for (let n = 0; n < 30; n += 1) {
      nowMs += 1_000;
      progress.recorded(RESTORED);
    }
    progress.end();

    expect(terminal.said).toHaveLength(lines);
    expect(terminal.said).toContain(
      '████░░░░░░░░ 33 % · 10 restored · 0 failed · 0 unknown · 20 left · 1.0/s · 20 seconds to go',
    );
  });

  it('says why and for how long it pauses, until it is over', () => {
    const terminal = new FakeTerminal({ isInteractive: true });
    const progress = progressAt(terminal, 2);

    progress.pausing(11_001, 'The platform throttled the request.');
    progress.pausing(1_000, 'A shorter one.');
    progress.resumed();

    expect(terminal.said.slice(1)).toEqual([
      expect.stringMatching(/^Pausing for 12 seconds: the platform throttled the request · ░{12} 0 % · /),
      expect.stringMatching(/^░{12} 0 % · /),
    ]);
  });

  it('says without a terminal why it makes no progress', () => {
    const terminal = new FakeTerminal();
    const progress = progressAt(terminal, 2);

    progress.pausing(8_000, 'Why.');
    nowMs += 10_000;
    progress.resumed();
    progress.pausing(16_000, 'Why.');

    expect(terminal.said.slice(1)).toEqual([expect.stringMatching(/^Pausing for 16 seconds: why · /)]);
  });
});

describe('Ctrl-C during a bulk restore', () => {
  let restoring: Restoring;
  beforeEach(() => (restoring = new Restoring()));

  it('sends nothing more, waits for requests in flight, and says how to continue', async () => {
    restoring.write(idsOf(9));
    const terminal = new FakeTerminal();
    restoring.api.script('id-2', (contentId, request) => {
      terminal.interrupt();
      return restoring.api.restore(contentId, request);
    });

    const exitCode = await restoring.runMany({}, terminal);

    expect(exitCode).toBe(1);
    expect(restoring.sentIds()).toEqual(['id-0', 'id-1', 'id-2']);
    expect(restoring.document()).toMatchObject({ restored: 3, unknown: 0, left: 6 });
    expect(terminal.said.join('\n')).toContain('Ctrl-C again leaves their outcome unknown');
    expect(terminal.results[0]!.text).toMatch(/To continue .*\n +latchkey restore --from \S+ids\.txt/);
    expect(await restoring.runMany()).toBe(0);
    expect(restoring.api.requests).toHaveLength(9);
  });

  it('sends nothing if it comes while the token is read', async () => {
    restoring.write(idsOf(2));
    const { send } = restoring.system.secretsManager;
    restoring.system.secretsManager.send = () => {
      restoring.terminal.interrupt();
      return send(undefined);
    };

    expect(await restoring.runMany()).toBe(1);
    expect(restoring.api.requests).toEqual([]);
    expect(restoring.document()).toMatchObject({ unknown: 0, left: 2 });
  });

  it.each([
    ['a wait for a retry', 502, 'platform_failed'],
    ['a pause of all requests', 429, 'too_many_requests'],
    ['a refused request, without counting as a stop', 401, 'unauthorized'],
  ] as const)('ends %s, and keeps the last answer', async (_, status, outcome) => {
    restoring.write(idsOf(2));
    restoring.api.always((contentId, request) => {
      if (status === 401) restoring.terminal.interrupt();
      return problem(status, outcome)(contentId, request);
    });
    restoring.system.onSleep = () => restoring.terminal.interrupt();

    expect(await restoring.runMany()).toBe(1);
    expect(restoring.api.requests).toHaveLength(1);
    expect(restoring.document()).not.toHaveProperty('stopped');
    expect(restoring.outcomes()).toEqual({ 'id-0': outcome });
  });
});
