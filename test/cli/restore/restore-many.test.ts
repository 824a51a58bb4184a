import { linkSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type RestoreFlags } from '../../../cli/restore/restore-command';
import { OUTCOMES } from '../../../core/restore/restore-outcomes';
import { flagsOf, wordsOf } from '../support/command-line';
import { failureOf } from '../support/operated-system';
import { broken, problem } from './support/fake-restore-api';
import { idsOf, Restoring, TENANT_ID } from './support/restoring';

let restoring: Restoring;
beforeEach(() => (restoring = new Restoring()));
afterEach(() => expect(restoring.terminal.visibleText()).not.toContain('canary'));

/** Restores the contents `id-0`, `id-1` and so on, and expects the outcome. */
async function expectRun(
  contents: number,
  exitCode: number,
  requests: number,
  document: object,
): Promise<void> {
  restoring.write(idsOf(contents));

  expect(await restoring.runMany()).toBe(exitCode);

  expect(restoring.api.requests).toHaveLength(requests);
  expect(restoring.document()).toMatchObject(document);
}

/** The platform answers 404 to operations that exist and to those that do not. */
const AMBIGUOUS = problem(404, 'content_not_found', {}, OUTCOMES.contentOrOperationNotFound.detail);

describe('latchkey restore --from', () => {
  it('restores every content once, and notes each content before and after its request', async () => {
    restoring.write(['a', 'b', 'a', 'c']);

    expect(await restoring.runMany()).toBe(0);

    expect(restoring.sentIds()).toEqual(['a', 'b', 'c']);
    const shared = { at: '2026-01-31T12:00:00.000Z', collaborationId: 'team-1' };
    const requestId = expect.any(String) as string;
    expect(restoring.lines()).toEqual([
      {
        environment: 'staging',
        platformRegion: 'mea',
        tenantId: TENANT_ID,
        api: 'https://restore.example/v1',
      },
      ...['a', 'b', 'c'].flatMap((contentId) => [
        { contentId, outcome: 'outcome_unknown', detail: 'no answer was stored', ...shared },
        { contentId, outcome: 'restored', status: 200, requestId, ...shared },
      ]),
    ]);
    expect(readdirSync(restoring.folder).sort()).toEqual(['ids.txt', 'ids.txt.results.jsonl']);
    expect(statSync(restoring.path('.results.jsonl')).mode & 0o777).toBe(0o600);
    expect(restoring.document()).toMatchObject({ restored: 3, left: 0, duplicates: 1, next: [] });
  });

  it('resends nothing settled: refused contents only with --retry-failed, those not archived never', async () => {
    restoring.write(idsOf(4));
    restoring.api.script('id-1', problem(404, 'content_not_found'));
    restoring.api.script('id-2', problem(409, 'not_archived'));

    const first = await restoring.runMany();
    expect(restoring.document()).toMatchObject({
      restored: 2,
      failed: 2,
      outcomes: { restored: 2, content_not_found: 1, not_archived: 1 },
      next: [
        `latchkey restore --from ${restoring.path()} --collaboration-id team-1 --parallel 1 ` +
          `--environment staging --platform-region mea --tenant ${TENANT_ID} --local --retry-failed`,
      ],
    });
    const again = await restoring.runMany();
    expect(restoring.terminal.said).toContain(
      'Nothing to send: the results have an outcome for each content',
    );
    const retried = await restoring.runMany({ retryFailed: true, retryUnknown: true });

    expect([first, again, retried]).toEqual([1, 1, 1]);
    expect(restoring.sentIds()).toEqual([...idsOf(4), 'id-1']);
    expect(Object.values(restoring.outcomes())).toEqual(['restored', 'restored', 'not_archived', 'restored']);
  });

  it('notes what is wrong with restored contents, and never counts an archived one as restored', async () => {
    restoring.write(idsOf(4));
    for (const [id, status] of [['id-0', 'ready'] as const, ['id-1', 'archived'] as const]) {
      const body = JSON.stringify({ id, status, items: [] });
      restoring.api.script(id, () => ({ status: 200, headers: {}, body }));
    }
    restoring.api.script('id-2', restoring.api.restoreWithErrors(2));

    const first = await restoring.runMany();
    const second = await restoring.runMany();

    expect([first, second]).toEqual([75, 75]);
    expect(restoring.results()).toMatchObject([
      { outcome: 'restored', recordStatus: 'ready' },
      { outcome: 'outcome_unknown' },
      { outcome: 'restored', itemsInError: 2 },
      { outcome: 'restored' },
    ]);
    const counts = { restored: 3, unknown: 1, withOtherStatus: 1, withItemsInError: 1 };
    expect(restoring.document()).toMatchObject(counts);
  });

  it('resends contents that may have been restored only with --retry-unknown', async () => {
    restoring.write(idsOf(3));
    restoring.api.script('id-1', restoring.api.restoreAndBreak);

    const first = await restoring.runMany();
    const second = await restoring.runMany();

    expect([first, second]).toEqual([75, 75]);
    expect(restoring.api.countOf('id-1')).toBe(1);
    expect(restoring.outcomes()['id-1']).toBe('outcome_unknown');
    const { next } = restoring.document<{ next: string[] }>();
    expect(next).toEqual([expect.stringMatching(/^latchkey restore .* --retry-unknown$/)]);
    expect(await restoring.run((await flagsOf(wordsOf(next[0]!))) as RestoreFlags)).toBe(1);
    expect(restoring.outcomes()['id-1']).toBe('not_archived');
  });

  it.each([
    ['the platform failed', problem(502, 'platform_failed')],
    ['nothing could be sent', broken(false)],
    ['the authorizer failed', problem(500, 'internal_error')],
  ])('tries a content three times if %s', async (_, step) => {
    restoring.api.script('id-0', step, step);
    restoring.api.script('id-1', step, step, step);

    await expectRun(2, 69, 6, { restored: 1, failed: 1 });
    expect(restoring.api.countOf('id-1')).toBe(3);
    expect(await restoring.runMany()).toBe(0);
  });

  it.each([
    ['401, also with the next token', problem(401, 'unauthorized'), 77, 2, { left: 8 }, 'unauthorized'],
    ['403 for the first content', problem(403, 'forbidden'), 77, 1, { left: 8 }, 'forbidden'],
    ['404 for the tenant', problem(404, 'unknown_tenant'), 1, 1, { left: 8 }, 'unknown_tenant'],
    ['501', problem(501, 'restore_unavailable'), 69, 1, { left: 8 }, 'restore_unavailable'],
    [
      'five failures in a row',
      problem(502, 'platform_unreachable'),
      69,
      15,
      { failed: 5 },
      'platform_unreachable',
    ],
    [
      'three answers that blame the content or the operation',
      AMBIGUOUS,
      1,
      3,
      { failed: 3, left: 6 },
      'content_or_operation_not_found',
    ],
  ])('stops at %s, and the next run continues', async (_, step, exitCode, requests, counts, code) => {
    restoring.api.always(step);
    await expectRun(9, exitCode, requests, { ...counts, stopped: { code } });

    restoring.api.always(undefined);
    expect(await restoring.runMany()).toBe(0);
    expect(restoring.api.published.size).toBe(9);
  });

  it('stops at five unknown outcomes in a row', async () => {
    restoring.api.always(broken(true));

    await expectRun(20, 75, 5, { unknown: 5, left: 15 });
  });

  it('does not stop at answers that blame either once the operation has worked, and sends their contents again', async () => {
    restoring.write(idsOf(9));
    const unclear = ['id-2', 'id-4', 'id-6', 'id-8'];
    for (const id of unclear) restoring.api.script(id, AMBIGUOUS);

    const first = await restoring.runMany({ parallel: 1 });
    const second = await restoring.runMany({ parallel: 1 });

    expect([first, second]).toEqual([1, 0]);
    expect(restoring.sentIds().slice(9)).toEqual(unclear);
  });

  it.each([
    ['restored', [], 77],
    ['not archived', [problem(409, 'not_archived')], 1],
  ])('continues after a 403 for one content, if another was %s', async (_, before, exitCode) => {
    restoring.api.script('id-0', ...before);
    restoring.api.script('id-1', problem(403, 'forbidden'));

    await expectRun(3, exitCode, 3, { outcomes: { forbidden: 1 }, left: 0 });
  });

  it('sends at most as many parallel requests as requested', async () => {
    restoring.write(idsOf(50));
    const inFlight = new Set<object>();
    let most = 0;
    restoring.system.sendRequest = async (request) => {
      most = Math.max(most, inFlight.add(request).size);
      await new Promise(setImmediate);
      inFlight.delete(request);
      return restoring.api.send(request);
    };

    expect(await restoring.runMany({ parallel: 7 })).toBe(0);
    expect(most).toBe(7);
  });

  it('renews a refused token once for all requests that used it', async () => {
    restoring.write(idsOf(4));
    restoring.api.always((contentId, request) =>
      request.headers.authorization === 'Bearer canary-token-1'
        ? problem(401, 'unauthorized')(contentId, request)
        : restoring.api.restore(contentId, request),
    );

    expect(await restoring.runMany({ parallel: 4 })).toBe(0);
    expect(restoring.tokenNumber).toBe(2);
    expect(restoring.api.requests).toHaveLength(8);
  });

  it('reads the next token before the current one expires', async () => {
    restoring.write(idsOf(3));
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

  it('stops if there is no token anymore, with nothing in flight', async () => {
    const error = { code: 'platform_unavailable', message: 'why' };
    restoring.system.functions['token-refresh'] = () => ({ ok: false, error });

    await expectRun(3, 69, 0, { left: 3, unknown: 0, stopped: { code: 'platform_unavailable' } });
  });

  it.each(['http://restore.example/v1', 'restore.example'])(
    'creates no results if the address of the restore API is %j',
    async (url) => {
      restoring.write(idsOf(1));
      restoring.system.restoreApi = { url, auth: 'platform' };

      const failure = await failureOf(restoring.runMany());

      expect(failure).toMatchObject({ exitCode: 1, code: 'bad_restore_api_address' });
      expect(failure.advice).toContain("npx cdk deploy 'latchkey-staging-mea*'");
      expect(readdirSync(restoring.folder)).toEqual(['ids.txt']);
    },
  );

  it.each([
    ['a folder', '/', 'is not a file'],
    ['a device', '/dev/null', 'is not a file'],
    ['a file where there is no folder', '/none/results.jsonl', 'is not a file'],
    ['the list itself', 'ids.txt', 'found the list itself'],
    ['a file with two names, of which another run could use one', 'second.jsonl', 'another hard link'],
  ])('refuses to write results to %s', async (_, results, says) => {
    restoring.write(idsOf(1));
    restoring.write([], '.results.jsonl');
    linkSync(restoring.path('.results.jsonl'), join(restoring.folder, 'second.jsonl'));

    const failure = await failureOf(restoring.runMany({ results: resolve(restoring.folder, results) }));

    expect(failure).toMatchObject({ exitCode: 2, message: expect.stringContaining(says) as string });
    expect(restoring.api.requests).toEqual([]);
  });
});
