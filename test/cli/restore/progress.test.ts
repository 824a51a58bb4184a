import { FakeTerminal } from '../support/fake-terminal';
import { problem } from './support/fake-restore-api';
import { idsOf, Restoring } from './support/restoring';

let restoring: Restoring;
beforeEach(() => (restoring = new Restoring()));
afterEach(() => restoring.dispose());

const THROTTLED = problem(429, 'too_many_requests');
const interactive = () => new FakeTerminal({ isInteractive: true });

describe('the progress of a bulk restore', () => {
  it('is an occasional line, or drawn each time on a terminal', async () => {
    restoring.write(idsOf(30));
    restoring.api.always((contentId, request) => {
      restoring.system.nowMs += 1_000;
      return restoring.api.restore(contentId, request);
    });

    await restoring.runMany();
    const lines = restoring.terminal.said;

    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(
      /^█{4}░{8} 33 % · 10 restored · 0 failed · 0 unknown · 20 left · 1\.0\/s · 20 seconds to go$/,
    );
    restoring.write(idsOf(40));
    await restoring.runMany({ yes: true }, interactive());
    expect(restoring.terminal.said).toHaveLength(12);
  });

  it('counts down a wait on a terminal until it is over', async () => {
    restoring.write(idsOf(20));
    restoring.api.script('id-1', problem(429, 'too_many_requests', { 'retry-after': '12' }));

    await restoring.runMany({ parallel: 4, yes: true }, interactive());

    const waits = restoring.terminal.said.map((line) => /^Trying again in (\d+) seconds?: /.exec(line)?.[1]);
    expect([...new Set(waits.filter((each) => each !== undefined))]).toEqual(
      Array.from({ length: 12 }, (_, gone) => String(12 - gone)),
    );
    const next = restoring.terminal.said[waits.lastIndexOf('1') + 1];
    expect(next).toMatch(/^[█░]{12} \d+ % · /);
    expect(restoring.terminal.said.join('\n')).toMatch(
      /^Trying again in 12 seconds: the platform throttled the request · [█░]{12} /m,
    );
  });

  it('says every ten seconds why it waits, without a terminal', async () => {
    restoring.write(idsOf(20));
    const usedUp = 'The tenant has used up its request quota for this period.';
    restoring.api.always(problem(429, 'too_many_requests', {}, usedUp));
    const terminal = new FakeTerminal();
    const startMs = restoring.system.nowMs;

    await restoring.runMany({ parallel: 8 }, terminal);

    const { said } = terminal;
    const waits = said.filter((line) =>
      /^Trying again in .*: the tenant has used up its request quota/.test(line),
    );
    // All but the first and the last line.
    expect(waits).toEqual(said.slice(1, -1));
    expect(waits).toHaveLength(Math.floor((restoring.system.nowMs - startMs) / 10_000));
    expect(terminal.results[0]!.text).toMatch(/Stopped: too_many_requests .*The tenant has used up/);
  });
});

describe('Ctrl-C during a bulk restore', () => {
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
      return send();
    };

    expect(await restoring.runMany()).toBe(1);
    expect(restoring.api.requests).toEqual([]);
    expect(restoring.document()).toMatchObject({ unknown: 0, left: 2 });
  });

  it('ends a wait for a retry, and keeps the last answer', async () => {
    restoring.write(idsOf(2));
    restoring.api.always(problem(502, 'platform_failed'));
    restoring.system.onSleep = () => restoring.terminal.interrupt();

    expect(await restoring.runMany()).toBe(1);
    expect(restoring.api.requests).toHaveLength(1);
    expect(restoring.outcomes()).toEqual({ 'id-0': 'platform_failed' });
  });

  it('ends a pause of all requests, and stops reporting it', async () => {
    restoring.write(idsOf(2));
    restoring.api.always(THROTTLED);
    restoring.system.onSleep = () => restoring.terminal.interrupt();

    expect(await restoring.runMany({ yes: true }, interactive())).toBe(1);
    const { said } = restoring.terminal;
    const interruptedAt = said.findIndex((line) => line.startsWith('Waiting for requests in flight'));
    expect(said[interruptedAt - 1]).toContain('Trying again');
    expect(said.filter((line) => line.includes('Trying again'))).toHaveLength(1);
  });

  it.each([
    ['throttled', THROTTLED, 'too_many_requests'],
    ['refused, so that the token is renewed', problem(401, 'unauthorized'), 'unauthorized'],
  ])('counts as an interruption, not a stop, if a request was %s', async (_, step, outcome) => {
    restoring.write(idsOf(2));
    restoring.api.always((contentId, request) => {
      restoring.terminal.interrupt();
      return step(contentId, request);
    });

    expect(await restoring.runMany()).toBe(1);
    expect(restoring.document()).not.toHaveProperty('stopped');
    expect(restoring.outcomes()).toEqual({ 'id-0': outcome });
  });
});
