import { readdirSync } from 'node:fs';

import { FakeTerminal } from '../support/fake-terminal';
import { failureOf } from '../support/operated-system';
import { problem } from './support/fake-restore-api';
import { idsOf, Restoring, TENANT_ID } from './support/restoring';

let restoring: Restoring;
beforeEach(() => (restoring = new Restoring()));

describe('latchkey restore --from --dry-run', () => {
  it('says what would be sent, sends nothing and writes nothing', async () => {
    restoring.write([...idsOf(12), 'id-0']);

    expect(await restoring.runMany({ dryRun: true, parallel: 4 })).toBe(0);

    expect(restoring.api.requests).toEqual([]);
    expect(readdirSync(restoring.folder)).toEqual(['ids.txt']);
    const command =
      `latchkey restore --from ${restoring.path()} --collaboration-id team-1 --parallel 4 ` +
      `--environment staging --platform-region mea --tenant ${TENANT_ID} --local`;
    expect(restoring.document()).toMatchObject({
      dryRun: true,
      toSend: 12,
      first: idsOf(5),
      duplicates: 1,
      results: restoring.path('.results.jsonl'),
      next: [command],
    });
    expect(restoring.terminal.results[0]!.text.split('\n')).toEqual([
      `Would send 12 of 12 contents, tenant ${TENANT_ID}, staging mea`,
      '  first            id-0, id-1, id-2, id-3, id-4 and 7 more',
      '  pace             at most 4 requests at a time; a 429 pauses all of them',
      '  to               https://restore.example/v1',
      '  settled          0 restored, 0 failed, 0 unknown',
      '  duplicate lines  1',
      'Nothing was sent. To restore them:',
      `  ${command}`,
    ]);
  });

  it('leaves out what an earlier run has settled, and adds what a flag resends', async () => {
    restoring.write(idsOf(3));
    restoring.api.script('id-1', problem(404, 'content_not_found'));
    await restoring.runMany();
    const before = restoring.results();

    await restoring.runMany({ dryRun: true });
    expect(restoring.document()).toMatchObject({ toSend: 0, first: [], restored: 2, failed: 1, next: [] });
    expect(restoring.terminal.results[0]!.text).toMatch(/^ {2}settled +2 restored, 1 failed, 0 unknown$/m);

    await restoring.runMany({ dryRun: true, retryFailed: true });
    expect(restoring.document()).toMatchObject({ toSend: 1, first: ['id-1'], restored: 2, failed: 0 });
    expect((restoring.document().next as string[])[0]).toMatch(/ --retry-failed$/);

    expect(restoring.results()).toEqual(before);
    expect(restoring.sentIds()).toHaveLength(3);
  });
});

describe('the confirmation of a bulk restore', () => {
  const atTerminal = (...answers: boolean[]) => new FakeTerminal({ isInteractive: true, answers });

  it('is asked for at a terminal, with the number of contents', async () => {
    restoring.write(idsOf(3));
    const terminal = atTerminal(true);

    expect(await restoring.runMany({}, terminal)).toBe(0);

    expect(terminal.questions).toMatchObject([
      { question: `Restore 3 contents of tenant ${TENANT_ID}, staging mea?` },
    ]);
    expect(restoring.sentIds()).toEqual(idsOf(3));
  });

  it('sends nothing if declined, and lets another run start', async () => {
    restoring.write(idsOf(3));

    expect((await failureOf(restoring.runMany({}, atTerminal(false)))).code).toBe('declined');

    expect(restoring.sentIds()).toEqual([]);
    expect(readdirSync(restoring.folder)).toEqual(['ids.txt']);
  });

  it.each([
    ['with --yes', { yes: true }, true, 3],
    ['without a terminal', {}, false, 3],
    ['if nothing is left to send', {}, true, 0],
  ])('is not needed %s', async (_, flags, isInteractive, left) => {
    restoring.write(idsOf(3));
    if (left === 0) await restoring.runMany();
    restoring.api.requests.length = 0;

    expect(await restoring.runMany(flags, new FakeTerminal({ isInteractive }))).toBe(0);

    expect(restoring.terminal.questions).toEqual([]);
    expect(restoring.api.requests).toHaveLength(left);
  });
});
