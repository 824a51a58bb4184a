import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';

import { FakeTerminal } from '../support/fake-terminal';
import { failureOf } from '../support/operated-system';
import { broken, problem, type Step } from './support/fake-restore-api';
import { Restoring, TENANT_ID } from './support/restoring';

let restoring: Restoring;
beforeEach(() => (restoring = new Restoring()));
afterEach(() => restoring.dispose());

const ids = (count: number) => Array.from({ length: count }, (_, n) => `id-${n}`);
const sentIds = () => restoring.api.requests.map(({ contentId }) => contentId);

describe('latchkey restore --from', () => {
  it('restores every content once, and writes one line for each', async () => {
    restoring.write(['a', 'b', 'a', 'c']);

    const exitCode = await restoring.runMany();

    expect(exitCode).toBe(0);
    expect(sentIds()).toEqual(['a', 'b', 'c']);
    expect(restoring.results()).toEqual(
      ['a', 'b', 'c'].map((contentId) => ({
        contentId,
        outcome: 'restored',
        status: 200,
        requestId: expect.any(String) as string,
        at: '2026-01-31T12:00:00.000Z',
        attempt: 1,
        environment: 'staging',
        platformRegion: 'mea',
        tenantId: TENANT_ID,
        api: 'https://restore.example/v1',
        collaborationId: 'team-1',
      })),
    );
    expect(readdirSync(restoring.folder).sort()).toEqual(['ids.txt', 'ids.txt.results.jsonl']);
    expect(statSync(restoring.path('.results.jsonl')).mode & 0o777).toBe(0o600);
    expect(restoring.document()).toMatchObject({
      restored: 3,
      failed: 0,
      unknown: 0,
      left: 0,
      duplicates: 1,
      next: [],
    });
    expect(restoring.terminal.visibleText()).not.toContain('canary');
  });

  it('goes on after those that are refused, and says how many of each there are', async () => {
    restoring.write(ids(5));
    restoring.api.script('id-1', problem(404, 'content_not_found'));
    restoring.api.script('id-3', problem(409, 'not_archived'));

    const exitCode = await restoring.runMany();

    expect(exitCode).toBe(1);
    expect(restoring.document()).toMatchObject({
      restored: 3,
      failed: 2,
      outcomes: { restored: 3, content_not_found: 1, not_archived: 1 },
      next: [
        `latchkey restore --from ${restoring.path()} --collaboration-id team-1 --parallel 1 ` +
          `--environment staging --platform-region mea --tenant ${TENANT_ID} --local --retry-failed`,
      ],
    });
  });

  it('sends nothing again that is settled, and with --retry-failed what was refused', async () => {
    restoring.write(ids(3));
    restoring.api.script('id-1', problem(404, 'content_not_found'));
    await restoring.runMany();

    const again = await restoring.runMany();
    const saidAgain = restoring.terminal.said;
    const sentBefore = restoring.api.requests.length;
    const retried = await restoring.runMany({ retryFailed: true });

    expect([again, retried]).toEqual([1, 0]);
    expect(sentBefore).toBe(3);
    expect(saidAgain).toContain('The results have what became of each content: nothing is sent');
    expect(restoring.terminal.said.join('\n')).not.toContain('nothing is sent');
    expect(sentIds().slice(3)).toEqual(['id-1']);
    expect(restoring.results()).toHaveLength(3);
    expect(restoring.results()[1]).toMatchObject({ contentId: 'id-1', outcome: 'restored', attempt: 2 });
  });

  it('counts what is restored with items in error, also where an earlier run restored it', async () => {
    restoring.write(ids(3));
    restoring.api.script('id-1', restoring.api.restoreWithErrors(2));

    const first = await restoring.runMany();
    const said = restoring.terminal.visibleText();
    const second = await restoring.runMany();

    expect([first, second]).toEqual([0, 0]);
    expect(restoring.results().map((line) => line.itemsInError)).toEqual([undefined, 2, undefined]);
    expect(restoring.results()[0]).not.toHaveProperty('itemsInError');
    expect(restoring.document()).toMatchObject({ restored: 3, withItemsInError: 1, next: [] });
    expect(said).not.toContain('canary');
  });

  it('sends what is not archived again at no time, and does not say that it could', async () => {
    restoring.write(ids(2));
    restoring.api.script('id-0', problem(409, 'not_archived'));

    const first = await restoring.runMany();
    const again = await restoring.runMany({ retryFailed: true, retryUnknown: true });

    expect([first, again]).toEqual([1, 1]);
    expect(restoring.api.requests).toHaveLength(2);
    expect(restoring.document()).toMatchObject({ restored: 1, failed: 1, next: [] });
  });

  it('never sends again what may have been restored, unless it is told so', async () => {
    restoring.write(ids(3));
    restoring.api.script('id-1', restoring.api.restoreAndBreak);

    const first = await restoring.runMany();
    const second = await restoring.runMany();

    expect([first, second]).toEqual([75, 75]);
    expect(restoring.api.countOf('id-1')).toBe(1);
    expect(restoring.outcomes()['id-1']).toBe('outcome_unknown');
    expect(restoring.document<{ next: string[] }>().next).toEqual([
      expect.stringMatching(/--retry-unknown$/),
    ]);
    expect(await restoring.runMany({ retryUnknown: true })).toBe(1);
    expect(restoring.outcomes()['id-1']).toBe('not_archived');
  });

  it.each([
    ['the platform failed', problem(502, 'platform_failed')],
    ['nothing could be sent', broken(false)],
    ['the authorizer failed', problem(500, 'internal_error')],
  ])('tries a content three times where %s', async (_, step: Step) => {
    restoring.write(ids(2));
    restoring.api.script('id-0', step, step);
    restoring.api.script('id-1', step, step, step);

    const exitCode = await restoring.runMany();

    expect(exitCode).toBe(69);
    expect(restoring.api.countOf('id-0')).toBe(3);
    expect(restoring.outcomes()['id-0']).toBe('restored');
    expect(restoring.api.countOf('id-1')).toBe(3);
    expect(restoring.results()[1]).toMatchObject({ attempt: 3 });
    expect(await restoring.runMany()).toBe(0);
  });

  it('stops where several in a row fail so, and leaves the rest for the next run', async () => {
    restoring.write(ids(20));
    restoring.api.always(problem(502, 'platform_unreachable'));

    const exitCode = await restoring.runMany();

    expect(exitCode).toBe(69);
    expect(new Set(sentIds()).size).toBe(5);
    expect(restoring.document()).toMatchObject({
      failed: 5,
      left: 15,
      stopped: { code: 'platform_unreachable' },
    });
    restoring.api.always(undefined);
    expect(await restoring.runMany()).toBe(0);
    expect(restoring.api.published.size).toBe(20);
  });

  it('stops where several in a row have an unknown outcome', async () => {
    restoring.write(ids(20));
    restoring.api.always(broken(true));

    expect(await restoring.runMany()).toBe(75);
    expect(restoring.api.requests).toHaveLength(5);
  });

  it('waits as it is asked to, all of it, and sends again what was throttled', async () => {
    restoring.write(ids(10));
    restoring.api.script('id-2', problem(429, 'too_many_requests', { 'retry-after': '7' }));
    const startMs = restoring.system.nowMs;
    const sentAtMs: number[] = [];
    const { send } = restoring.api;
    restoring.system.sendRequest = (request) => {
      sentAtMs.push(restoring.system.nowMs - startMs);
      return send(request);
    };

    const exitCode = await restoring.runMany();

    expect(exitCode).toBe(0);
    expect(restoring.api.countOf('id-2')).toBe(2);
    expect(sentAtMs[3]).toBeGreaterThanOrEqual(7_000);
    expect(restoring.outcomes()).toEqual(Object.fromEntries(ids(10).map((id) => [id, 'restored'])));
  });

  it('counts down a wait that it is asked for where it is drawn over, and no longer once it goes on', async () => {
    restoring.write(ids(20));
    restoring.api.script('id-1', problem(429, 'too_many_requests', { 'retry-after': '12' }));

    await restoring.runMany({ parallel: 4 }, new FakeTerminal({ isInteractive: true }));

    const waits = restoring.terminal.said.map((line) => /^Trying again in (\d+) seconds?: /.exec(line)?.[1]);
    expect(waits.filter((each) => each !== undefined)).toEqual(
      Array.from({ length: 13 }, (_, gone) => String(13 - gone)),
    );
    const next = restoring.terminal.said[waits.lastIndexOf('1') + 1];
    expect(next).toMatch(/^[█░]{12} \d+ % · /);
    expect(restoring.terminal.said.join('\n')).toMatch(
      /^Trying again in 12 seconds: the platform asks for fewer requests · [█░]{12} /m,
    );
  });

  it('says once a minute that it waits, and for what, where lines stay', async () => {
    restoring.write(ids(20));
    const usedUp = 'The tenant has used up the requests that it may send in this period.';
    restoring.api.always(problem(429, 'too_many_requests', {}, usedUp));
    const saidAtMs: number[] = [];
    const terminal = new FakeTerminal();
    const say = terminal.said.push.bind(terminal.said);
    terminal.said.push = (line) => {
      if (/^Trying again in .*: the tenant has used up the requests/.test(line)) {
        saidAtMs.push(restoring.system.nowMs);
      }
      return say(line);
    };
    const startMs = restoring.system.nowMs;

    await restoring.runMany({ parallel: 8 }, terminal);

    // Three minutes: at their beginning, and once a minute since.
    const [first, ...gaps] = saidAtMs.map((ms, index) => ms - (saidAtMs[index - 1] ?? startMs));
    expect(first).toBe(0);
    expect(gaps.length).toBeGreaterThanOrEqual(2);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(60_000);
    expect(terminal.said.length).toBeLessThanOrEqual(6);
    expect(terminal.results[0]!.text).toMatch(/Stopped: too_many_requests .*The tenant has used up/);
  });

  it('says nothing of a wait any more that Ctrl-C has ended', async () => {
    restoring.write(ids(2));
    restoring.api.always(problem(429, 'too_many_requests'));
    restoring.system.onSleep = () => restoring.terminal.interrupt();

    expect(await restoring.runMany({}, new FakeTerminal({ isInteractive: true }))).toBe(1);
    const { said } = restoring.terminal;
    const interruptedAt = said.findIndex((line) => line.startsWith('Waiting for what was begun'));
    expect(said[interruptedAt - 1]).toContain('Trying again');
    expect(said.filter((line) => line.includes('Trying again'))).toHaveLength(1);
  });

  it('gives up where it is throttled for minutes', async () => {
    restoring.write(ids(3));
    restoring.api.always(problem(429, 'too_many_requests'));

    expect(await restoring.runMany()).toBe(69);
    expect(restoring.document()).toMatchObject({ left: 2, stopped: { code: 'too_many_requests' } });
    expect(restoring.api.requests).toHaveLength(9);
  });

  it.each([
    [401, 'unauthorized', 77, 2],
    [403, 'forbidden', 77, 1],
    [404, 'unknown_tenant', 1, 1],
    [404, 'unknown_route', 1, 1],
    [501, 'restore_unavailable', 69, 1],
  ] as const)(
    'stops at once at %d %s, which every content would meet',
    async (status, code, exitCode, sent) => {
      restoring.write(ids(9));
      restoring.api.always(problem(status, code));

      expect(await restoring.runMany()).toBe(exitCode);
      expect(restoring.api.requests).toHaveLength(sent);
      expect(restoring.document()).toMatchObject({ left: 8, stopped: { code } });
      restoring.api.always(undefined);
      expect(await restoring.runMany()).toBe(0);
    },
  );

  it.each([
    ['restored', undefined, 77],
    ['not archived', problem(409, 'not_archived'), 1],
  ])('goes on after a 403 for one content, where another was %s', async (_, step, exitCode) => {
    restoring.write(ids(3));
    if (step !== undefined) restoring.api.script('id-0', step);
    restoring.api.script('id-1', problem(403, 'forbidden'));

    expect(await restoring.runMany()).toBe(exitCode);
    expect(restoring.document()).toMatchObject({ outcomes: { forbidden: 1 }, left: 0 });
    expect(restoring.outcomes()['id-2']).toBe('restored');
  });

  it('has a refused token renewed once for all that were sent with it', async () => {
    restoring.write(ids(4));
    restoring.api.always((contentId, request) =>
      request.headers.authorization === 'Bearer canary-token-1'
        ? problem(401, 'unauthorized')(contentId, request)
        : restoring.api.restore(contentId, request),
    );

    expect(await restoring.runMany({ parallel: 4 })).toBe(0);
    expect(restoring.tokenNumber).toBe(2);
    expect(restoring.api.requests).toHaveLength(8);
  });

  it('takes the next token before the one it has ends', async () => {
    restoring.write(ids(3));
    restoring.tokenEndsMs = 120_000;
    restoring.api.script('id-1', (contentId, request) => {
      restoring.system.nowMs += 70_000;
      restoring.tokenNumber = 2;
      restoring.tokenEndsMs = 3_600_000;
      return restoring.api.restore(contentId, request);
    });

    expect(await restoring.runMany()).toBe(0);
    expect(restoring.api.requests.map(({ request }) => request.headers.authorization)).toEqual(
      [1, 1, 2].map((number) => `Bearer canary-token-${number}`),
    );
  });

  it('stops where there is no token any more, with nothing in flight', async () => {
    restoring.write(ids(3));
    restoring.system.functions['token-refresh'] = () => ({
      ok: false,
      error: { code: 'platform_unavailable', message: 'why' },
    });

    expect(await restoring.runMany()).toBe(69);
    expect(restoring.document()).toMatchObject({
      left: 3,
      unknown: 0,
      stopped: { code: 'platform_unavailable' },
    });
  });

  it('begins nothing after Ctrl-C, waits for what it began, and says how to go on', async () => {
    restoring.write(ids(9));
    const terminal = new FakeTerminal();
    restoring.api.script('id-2', (contentId, request) => {
      terminal.interrupt();
      return restoring.api.restore(contentId, request);
    });

    const exitCode = await restoring.runMany({}, terminal);

    expect(exitCode).toBe(1);
    expect(sentIds()).toEqual(['id-0', 'id-1', 'id-2']);
    expect(restoring.document()).toMatchObject({ restored: 3, unknown: 0, left: 6 });
    expect(terminal.said.join('\n')).toContain('Ctrl-C again leaves it unknown');
    expect(terminal.results[0]!.text).toMatch(/To go on .*\n +latchkey restore --from \S+ids\.txt/);
    expect(await restoring.runMany()).toBe(0);
    expect(restoring.api.requests).toHaveLength(9);
  });

  it('begins nothing after a Ctrl-C that came while the token was read', async () => {
    restoring.write(ids(2));
    const { send } = restoring.system.secretsManager;
    restoring.system.secretsManager.send = () => {
      restoring.terminal.interrupt();
      return send();
    };

    expect(await restoring.runMany()).toBe(1);
    expect(restoring.api.requests).toEqual([]);
    expect(restoring.document()).toMatchObject({ unknown: 0, left: 2 });
  });

  it('ends a wait for the next try with Ctrl-C, and keeps what was answered', async () => {
    restoring.write(ids(2));
    restoring.api.always(problem(502, 'platform_failed'));
    restoring.system.onSleep = () => restoring.terminal.interrupt();

    expect(await restoring.runMany()).toBe(1);
    expect(restoring.api.requests).toHaveLength(1);
    expect(restoring.outcomes()).toEqual({ 'id-0': 'platform_failed' });
  });

  it.each([
    ['throttled', problem(429, 'too_many_requests'), 'too_many_requests'],
    ['refused, so that the token is renewed', problem(401, 'unauthorized'), 'unauthorized'],
  ])('is interrupted, and not stopped, by a Ctrl-C where it was %s', async (_, step, outcome) => {
    restoring.write(ids(2));
    restoring.api.always((contentId, request) => {
      restoring.terminal.interrupt();
      return step(contentId, request);
    });

    expect(await restoring.runMany()).toBe(1);
    expect(restoring.document()).not.toHaveProperty('stopped');
    expect(restoring.outcomes()).toEqual({ 'id-0': outcome });
  });

  it('sends as many at a time as it is told to, and no more', async () => {
    restoring.write(ids(50));
    let inFlight = 0;
    let most = 0;
    let open!: () => void;
    const seven = new Promise<void>((resolve) => (open = resolve));
    const { send } = restoring.api;
    restoring.system.sendRequest = async (request) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      if (inFlight === 7) open();
      await seven;
      await new Promise(setImmediate);
      inFlight -= 1;
      return send(request);
    };

    expect(await restoring.runMany({ parallel: 7 })).toBe(0);
    expect(most).toBe(7);
  });

  it('says now and then how far it is where lines stay, and each time where they are drawn over', async () => {
    restoring.write(ids(30));
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
    restoring.write(ids(40));
    await restoring.runMany({}, new FakeTerminal({ isInteractive: true }));
    expect(restoring.terminal.said).toHaveLength(12);
  });
});

describe('the files of latchkey restore --from', () => {
  it('are refused where anything is wrong with the list: all faults at once, 20 at most', async () => {
    restoring.write([...ids(3), ...Array<string>(25).fill('no/id')]);

    const failure = await failureOf(restoring.runMany());

    expect(failure.exitCode).toBe(2);
    expect(failure.message.split('\n')).toHaveLength(22);
    expect(failure.message).toContain('line 4: found no content id');
    expect(failure.message).toMatch(/and 5 more$/);
    expect(restoring.system.invoked).toEqual([]);
  });

  it.each<[string, string | Buffer | undefined, RegExp]>([
    ['is not there', undefined, /cannot be read \(ENOENT\)/],
    ['names nothing', '# none\n\n', /found no content id/],
    ['is no UTF-8', Buffer.from([0x61, 0xff, 0x0a]), /found no UTF-8/],
  ])('are refused where the list %s', async (_, content, says) => {
    if (content !== undefined) writeFileSync(restoring.path(), content);

    expect(await failureOf(restoring.runMany())).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(says) as string,
    });
  });

  it('may begin with a byte order mark', async () => {
    writeFileSync(restoring.path(), '\ufeffid-0\r\n');

    expect(await restoring.runMany()).toBe(0);
    expect(sentIds()).toEqual(['id-0']);
  });

  it('are no standard input, which no run could be taken up from', async () => {
    restoring.write(ids(2));
    const opened = openSync(restoring.path(), 'r');
    try {
      for (const from of ['-', '/dev/stdin', `/dev/fd/${opened}`, `/proc/self/fd/${opened}`]) {
        expect(await failureOf(restoring.runMany({ from }))).toMatchObject({
          exitCode: 2,
          message: expect.stringContaining('found standard input') as string,
        });
      }
    } finally {
      closeSync(opened);
    }
  });

  it.each([
    ['another tenant', { tenant: 'tenant-2' }, 'tenantId'],
    ['another author', { collaborationId: 'team-2' }, 'author and collaboration'],
  ])('are not taken up with %s', async (_, flags, field) => {
    restoring.system.tenants = [
      ...restoring.system.tenants,
      { ...restoring.system.tenants[0]!, tenantId: 'tenant-2' },
    ];
    restoring.write(ids(2));
    await restoring.runMany({ tenant: TENANT_ID });
    const before = readFileSync(restoring.path('.results.jsonl'), 'utf8');

    const failure = await failureOf(restoring.runMany({ tenant: TENANT_ID, ...flags }));

    expect(failure).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`${field}: found`) as string,
    });
    expect(failure.advice).toContain('--results');
    expect(readFileSync(restoring.path('.results.jsonl'), 'utf8')).toBe(before);
    expect(existsSync(restoring.path('.results.jsonl.lock'))).toBe(false);
  });

  it('are not taken up with another restore API', async () => {
    restoring.write(ids(2));
    await restoring.runMany();
    restoring.system.restoreApi = { url: 'https://other.example/v1', auth: 'platform' };

    const failure = await failureOf(restoring.runMany());

    expect(failure).toMatchObject({ exitCode: 2 });
    expect(failure.advice).toContain(
      'Where only its address has changed, write the new one into the results',
    );
  });

  it.each([
    ['something else', 'my own notes\n'],
    ['something else without a line break', 'my own notes'],
    ['a result that is none', '{"contentId":"a","outcome":"eaten"}\n'],
    ['null', 'null\n'],
    ...['-1', '"2"'].map((count): [string, string] => [
      `${count} items in error`,
      '{"contentId":"a","outcome":"restored","at":"2026-01-31T12:00:00.000Z","attempt":1,"environment":"staging",' +
        `"platformRegion":"mea","tenantId":"tenant-1","api":"https://restore.example/v1","itemsInError":${count}}\n`,
    ]),
  ])('are not written over where the results hold %s', async (_, text) => {
    restoring.write(ids(2));
    writeFileSync(restoring.path('.results.jsonl'), text);

    expect(await failureOf(restoring.runMany())).toMatchObject({
      exitCode: 2,
      advice: expect.stringContaining('also what may have been restored') as string,
    });
    expect(readFileSync(restoring.path('.results.jsonl'), 'utf8')).toBe(text);
    expect(restoring.api.requests).toEqual([]);
  });

  it.each(['http://restore.example/v1', 'restore.example', ''])(
    'are not begun where the address of the restore API is "%s"',
    async (url) => {
      restoring.write(ids(2));
      restoring.system.restoreApi = { url, auth: 'platform' };

      const failure = await failureOf(restoring.runMany());

      expect(failure).toMatchObject({ exitCode: 1, code: 'bad_restore_api_address' });
      expect(failure.advice).toContain("npx cdk deploy 'latchkey-staging-mea*'");
      expect(readdirSync(restoring.folder)).toEqual(['ids.txt']);
    },
  );

  it('are refused, and not read, where the list is larger than the longest one', async () => {
    writeFileSync(restoring.path(), '');
    // Without a byte on the disk.
    truncateSync(restoring.path(), 128 * 1024 * 1024 + 1);

    expect(await failureOf(restoring.runMany())).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('found more than 134217728 bytes') as string,
    });
  });

  it('are no list that has no end, such as a device', async () => {
    expect(await failureOf(restoring.runMany({ from: '/dev/null' }))).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('allowed: a file') as string,
    });
  });

  it('do not take the place of what is no file', async () => {
    restoring.write(ids(2));
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(restoring.path('.results.jsonl'), resolve));
    try {
      expect(await failureOf(restoring.runMany())).toMatchObject({ exitCode: 2 });
      expect(lstatSync(restoring.path('.results.jsonl')).isSocket()).toBe(true);
      expect(restoring.api.requests).toEqual([]);
    } finally {
      socket.close();
    }
  });

  it.each([
    ['nothing', () => '', 'is no file'],
    ['a folder', () => restoring.folder, 'is no file'],
    ['a file where there is no folder', () => `${restoring.folder}/none/results.jsonl`, 'has no folder'],
  ])('are not named by %s', async (_, results, says) => {
    restoring.write(ids(2));

    const failure = await failureOf(restoring.runMany({ results: results() }));

    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringContaining(says) as string });
    expect(readdirSync(restoring.folder)).toEqual(['ids.txt']);
  });

  it('stay where a link leads to, and have one lock by both names', async () => {
    restoring.write(ids(2));
    const [file, link] = [restoring.path('.real.jsonl'), restoring.path('.link.jsonl')];
    writeFileSync(file, '');
    symlinkSync(file, link);
    const meanwhile: unknown[] = [];
    restoring.api.script('id-0', (contentId, request) => {
      meanwhile.push(existsSync(`${file}.lock`));
      return restoring.api.restore(contentId, request);
    });

    expect(await restoring.runMany({ results: link })).toBe(0);
    expect(meanwhile).toEqual([true]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
    expect(await restoring.runMany({ results: file })).toBe(0);
    expect(restoring.api.requests).toHaveLength(2);
  });

  it('are refused where their link leads nowhere', async () => {
    restoring.write(ids(1));
    symlinkSync(restoring.path('.nowhere'), restoring.path('.results.jsonl'));

    expect(await failureOf(restoring.runMany())).toMatchObject({ exitCode: 2 });
    expect(restoring.api.requests).toEqual([]);
  });

  it('tell a content by its id in either case, also where the list has changed', async () => {
    restoring.write(['ABC']);
    restoring.api.script('ABC', restoring.api.restoreAndBreak);
    await restoring.runMany();
    restoring.write(['abc']);

    expect(await restoring.runMany()).toBe(75);
    expect(restoring.api.requests).toHaveLength(1);
    expect(restoring.results()).toMatchObject([{ contentId: 'ABC', outcome: 'outcome_unknown' }]);
  });

  it('go on from results of which no line is whole, and stay readable', async () => {
    restoring.write(ids(2));
    writeFileSync(restoring.path('.results.jsonl'), '{"contentId":"id-0","outco');
    let written = '';
    restoring.api.script('id-1', (contentId, request) => {
      written = readFileSync(restoring.path('.results.jsonl'), 'utf8');
      return restoring.api.restore(contentId, request);
    });

    expect(await restoring.runMany()).toBe(0);
    expect(JSON.parse(written)).toMatchObject({ contentId: 'id-0', outcome: 'restored' });
  });

  it('are not the list itself', async () => {
    restoring.write(ids(2));

    expect(await failureOf(restoring.runMany({ results: restoring.path() }))).toMatchObject({ exitCode: 2 });
  });

  it('send nothing where the results cannot be written', async () => {
    restoring.write(ids(2));

    const failure = await failureOf(restoring.runMany({ results: '/dev/null/results' }));

    expect(failure).toMatchObject({ exitCode: 1, code: 'results_not_written' });
    expect(restoring.api.requests).toEqual([]);
  });

  it('keep the results of contents that the list no longer has', async () => {
    restoring.write(ids(3));
    await restoring.runMany();
    restoring.write(['id-2', 'id-3']);

    expect(await restoring.runMany()).toBe(0);
    expect(restoring.document()).toMatchObject({ restored: 2 });
    expect(Object.keys(restoring.outcomes())).toEqual(ids(4));
  });
});
