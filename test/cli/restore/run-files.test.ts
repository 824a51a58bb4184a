import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';

import { type RestoreFlags } from '../../../cli/restore/restore-command';
import { failureOf } from '../support/operated-system';
import { idsOf, Restoring, TENANT_ID } from './support/restoring';

let restoring: Restoring;
beforeEach(() => (restoring = new Restoring()));
afterEach(() => restoring.dispose());

/** Expects a refusal before anything is sent. */
async function expectRefused(flags: RestoreFlags = {}, says = '') {
  const failure = await failureOf(restoring.runMany(flags));

  expect(failure).toMatchObject({ exitCode: 2, message: expect.stringContaining(says) as string });
  expect(restoring.api.requests).toEqual([]);
  return failure;
}

describe('the list of latchkey restore --from', () => {
  it('is refused with all its faults at once, at most 20', async () => {
    restoring.write([...idsOf(3), ...Array<string>(25).fill('no/id')]);

    const { message } = await expectRefused({}, 'line 4: found no content id');

    expect(message.split('\n')).toHaveLength(22);
    expect(message).toMatch(/and 5 more$/);
    expect(restoring.system.invoked).toEqual([]);
  });

  it.each<[string, string | Buffer | undefined, string]>([
    ['is not there', undefined, 'cannot be read (ENOENT)'],
    ['names nothing', '# none\n\n', 'found no content id'],
    ['is no UTF-8', Buffer.from([0x61, 0xff, 0x0a]), 'allowed: a readable UTF-8 file'],
  ])('is refused if it %s', async (_, content, says) => {
    if (content !== undefined) writeFileSync(restoring.path(), content);

    await expectRefused({}, says);
  });

  it('may begin with a byte order mark', async () => {
    writeFileSync(restoring.path(), '\ufeffid-0\r\n');

    expect(await restoring.runMany()).toBe(0);
    expect(restoring.sentIds()).toEqual(['id-0']);
  });

  it('cannot be a device, whose end may never come', async () => {
    await expectRefused({ from: '/dev/null' }, 'found a folder, pipe or device');
  });
});

describe('the results of latchkey restore --from', () => {
  beforeEach(() => restoring.write(idsOf(2)));

  it('are refused with another tenant', async () => {
    restoring.system.tenants = [
      ...restoring.system.tenants,
      { ...restoring.system.tenants[0]!, tenantId: 'tenant-2' },
    ];
    await restoring.runMany({ tenant: TENANT_ID });
    const before = readFileSync(restoring.path('.results.jsonl'), 'utf8');

    const failure = await failureOf(restoring.runMany({ tenant: 'tenant-2' }));

    expect(failure).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('found no results of this run') as string,
      advice: expect.stringContaining('--results') as string,
    });
    expect(readFileSync(restoring.path('.results.jsonl'), 'utf8')).toBe(before);
    expect(existsSync(restoring.path('.results.jsonl.lock'))).toBe(false);
  });

  it('are refused with another address of the restore API, until their first line names it', async () => {
    await restoring.runMany();
    restoring.system.restoreApi = { url: 'https://other.example/v1', auth: 'platform' };

    const { advice } = await failureOf(restoring.runMany());
    const [, header] = /replace the first line with: (.*)$/.exec(advice!)!;
    const [, ...lines] = readFileSync(restoring.path('.results.jsonl'), 'utf8').split('\n');
    writeFileSync(restoring.path('.results.jsonl'), [header, ...lines].join('\n'));

    expect(await restoring.runMany()).toBe(0);
    expect(restoring.api.requests).toHaveLength(2);
  });

  it.each([
    ['something else', 'my own notes\n'],
    ['something else without a line break', 'my own notes'],
    ['the beginning of a line of results', '{"contentId":"a"'],
    ['null', 'null\n'],
  ])('are not overwritten if the file holds %s', async (_, text) => {
    writeFileSync(restoring.path('.results.jsonl'), text);

    const { advice } = await expectRefused();

    expect(advice).toContain('even contents that may have been restored');
    expect(readFileSync(restoring.path('.results.jsonl'), 'utf8')).toBe(text);
  });

  it.each(['{"contentId":"a","outcome":"eaten"}', '{"outcome":"restored"}', 'null', ''])(
    'are refused with the line %j among them',
    async (line) => {
      await restoring.runMany();
      restoring.write(
        [...readFileSync(restoring.path('.results.jsonl'), 'utf8').trim().split('\n'), line],
        '.results.jsonl',
      );

      const { message } = await failureOf(restoring.runMany());

      expect(message).toContain('found no result in line 6');
    },
  );

  it.each(['http://restore.example/v1', 'restore.example', ''])(
    'are not created if the address of the restore API is "%s"',
    async (url) => {
      restoring.system.restoreApi = { url, auth: 'platform' };

      const failure = await failureOf(restoring.runMany());

      expect(failure).toMatchObject({ exitCode: 1, code: 'bad_restore_api_address' });
      expect(failure.advice).toContain("npx cdk deploy 'latchkey-staging-mea*'");
      expect(readdirSync(restoring.folder)).toEqual(['ids.txt']);
    },
  );

  it('do not replace anything but a file', async () => {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(restoring.path('.results.jsonl'), resolve));
    try {
      await expectRefused();
      expect(lstatSync(restoring.path('.results.jsonl')).isSocket()).toBe(true);
    } finally {
      socket.close();
    }
  });

  it.each([
    ['a folder', () => restoring.folder, 'is not a file'],
    ['a file where there is no folder', () => `${restoring.folder}/none/results.jsonl`, 'is not a file'],
    ['the list itself', () => restoring.path(), 'found the list itself'],
  ])('cannot be %s', async (_, results, says) => {
    await expectRefused({ results: results() }, says);

    expect(readdirSync(restoring.folder)).toEqual(['ids.txt']);
  });

  it('are refused under a second name of the same file, which another run could use', async () => {
    writeFileSync(restoring.path('.results.jsonl'), '');
    linkSync(restoring.path('.results.jsonl'), restoring.path('.second.jsonl'));

    for (const name of ['.results.jsonl', '.second.jsonl'])
      await expectRefused({ results: restoring.path(name) }, 'another hard link');
  });

  it('keep a complete last line without a line break, as an editor leaves it', async () => {
    await restoring.runMany();
    const file = restoring.path('.results.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd());

    expect(await restoring.runMany({ dryRun: true })).toBe(0);
    expect(restoring.document()).toMatchObject({ toSend: 0, restored: 2 });
    expect(await restoring.runMany()).toBe(0);
    expect(restoring.sentIds()).toEqual(['id-0', 'id-1']);
    expect(restoring.outcomes()).toEqual({ 'id-0': 'restored', 'id-1': 'restored' });
  });

  it('stay at a link’s target, with one lock for both names', async () => {
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
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(6);
    expect(await restoring.runMany({ results: file })).toBe(0);
    expect(restoring.api.requests).toHaveLength(2);
  });

  it('match a content id in either case, even if the list has changed', async () => {
    restoring.write(['ABC']);
    restoring.api.script('ABC', restoring.api.restoreAndBreak);
    await restoring.runMany();
    restoring.write(['abc']);

    expect(await restoring.runMany()).toBe(75);
    expect(restoring.api.requests).toHaveLength(1);
    expect(restoring.results()).toMatchObject([{ contentId: 'ABC', outcome: 'outcome_unknown' }]);
  });

  it('resume after a truncated first line, and stay readable', async () => {
    writeFileSync(restoring.path('.results.jsonl'), '{"environment":"stag');

    expect(await restoring.runMany()).toBe(0);
    expect(restoring.outcomes()).toEqual({ 'id-0': 'restored', 'id-1': 'restored' });
  });

  it('keep contents that are no longer in the list', async () => {
    restoring.write(idsOf(3));
    await restoring.runMany();
    restoring.write(['id-2', 'id-3']);

    expect(await restoring.runMany()).toBe(0);
    expect(restoring.document()).toMatchObject({ restored: 2 });
    expect(Object.keys(restoring.outcomes())).toEqual(idsOf(4));
  });
});
