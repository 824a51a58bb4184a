import { MAX_BODY_BYTES } from '../../core/restore/restore-operation';
import { expectRed } from '../support/holes/expect-red';
import { expectProcessorMsBelow } from '../support/processor-time';
import { RestoreHandlers } from '../support/restore-api/restore-handlers';

/** Much more than any body takes; the test prints what each took. */
const MOST_CPU_MS = 1_000;
const MIB = 1024 * 1024;
/** For the fields beside a bomb, so that the whole is just below 1 MiB. */
const ROOM_BYTES = 400;
const CONTENT_ID = 'a';

let handlers: RestoreHandlers;
const measured: string[] = [];
beforeAll(async () => {
  handlers = await RestoreHandlers.start();
  // Once in advance, so that the first connection is not measured.
  await handle('{"authorRef":"a"}');
}, RestoreHandlers.START_TIMEOUT_MS);
afterAll(async () => {
  await handlers?.stop();
  process.stderr.write(`T5: ms of the processor from request to answer\n${measured.join('\n')}\n`);
});

const times = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n)).join();
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

function handle(body: string) {
  const [{ tenantId }] = handlers.tenants;
  return handlers.handle({
    pathParameters: { tenantId, contentId: CONTENT_ID },
    multiValueHeaders: { Authorization: [handlers.basic()], 'Content-Type': ['application/json'] },
    body,
  });
}

/**
 * Sends a bomb.
 * @returns the answer, and whether the bomb was parsed
 */
async function explode(title: string, bomb: string, send: () => ReturnType<typeof handle>) {
  const parse = jest.spyOn(JSON, 'parse');
  let answer: Awaited<ReturnType<typeof handle>> | undefined;
  await expectProcessorMsBelow(MOST_CPU_MS, async () => (answer = await send()));
  const { status, body, cpuMs } = answer!;
  const isParsed = parse.mock.calls.some(([text]) => text === bomb);
  parse.mockRestore();
  measured.push(`${cpuMs.toFixed(1).padStart(8)}  ${status}  ${title}`);
  return { status, isParsed, code: (JSON.parse(body) as { code?: string }).code };
}

async function expectRequestUnread(title: string, bomb: string, status = 422, isParsed = false) {
  const answer = await explode(`request: ${title}`, bomb, () => handle(bomb));

  expect(answer).toMatchObject({ status, isParsed });
  expect(handlers.platform.requests).toEqual([]);
}

async function expectAnswerUnread(title: string, bomb: string, status = 500) {
  const answer = await explode(`answer: ${title}`, bomb, () => handle('{"authorRef":"a"}'));

  const isUsed = status === 200;
  expect(answer).toMatchObject({ status, isParsed: isUsed, ...(!isUsed && { code: 'outcome_unknown' }) });
}

describe('T5 body bombs', () => {
  afterEach(() => (handlers.hole = undefined));

  test.each<[string, string, number, boolean]>([
    ['lists inside lists', nested(MAX_BODY_BYTES / 2), 422, false],
    ['unclosed lists', '['.repeat(MAX_BODY_BYTES), 422, false],
    ['objects inside objects', `${'{"a":'.repeat(2_700)}1${'}'.repeat(2_700)}`, 422, false],
    ['an author of lists', `{"authorRef":${nested(8_000)}}`, 422, false],
    ['a thousand fields', `{${times(1_000, (n) => `"k${n}":1`)}}`, 422, false],
    ['one field a thousand times', `{${times(1_000, () => '"authorRef":"a"')}}`, 422, false],
    ['a list of 8,000 numbers', `[${times(8_000, () => '1')}]`, 422, false],
    ['a number of 16,000 digits', '9'.repeat(16_000), 422, true],
    ['an author of 2,700 escapes', String.raw`{"authorRef":"${'\\u0000'.repeat(2_700)}"}`, 422, true],
    ['a byte more than 16 KiB', '{"authorRef":"a"}'.padEnd(MAX_BODY_BYTES + 1), 413, false],
    ['a MiB of lists', nested(MIB / 2), 413, false],
    ['nine MiB of spaces', ' '.repeat(9 * MIB), 413, false],
  ])('in a request: %s', expectRequestUnread);

  const record = (further: string) =>
    `{"id":"${CONTENT_ID}","status":"published","items":[],"further":${further}}`;
  test.each<[string, string, number]>([
    ['levels up to the limit', record(nested(63)), 200],
    ['a level more', record(nested(64)), 500],
    ['lists inside lists', record(nested((MIB - ROOM_BYTES) / 2)), 500],
    ['unclosed lists', '['.repeat(MIB), 500],
    ['objects inside objects', record(`${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`), 500],
    ['members up to the limit', record(`{${times(49_996, (n) => `"k${n}":1`)}}`), 200],
    ['80,000 members', record(`{${times(80_000, (n) => `"k${n}":1`)}}`), 500],
    ['300,000 empty objects', record(`[${times(300_000, () => '{}')}]`), 500],
    ['40,000 items', record('0').replace('[]', `[${times(40_000, (n) => `{"rank":${-n}}`)}]`), 500],
    ['16,000 items', record('0').replace('[]', `[${times(16_000, (n) => `{"rank":${-n}}`)}]`), 200],
    ['a number of a million digits', record('9'.repeat(MIB - ROOM_BYTES)), 200],
    ['a text of escapes', record(`"${'\\u0041'.repeat(174_000)}"`), 200],
    ['more than a MiB', record(`"${'a'.repeat(MIB)}"`), 500],
  ])('in an answer of the platform: %s', async (title, bomb, status) => {
    handlers.platform.behavior = (response) => response.end(bomb);

    await expectAnswerUnread(title, bomb, status);
  });

  test('turns red when a body is parsed before its size is checked', async () => {
    handlers.hole = {
      wrong: 'every body is parsed',
      restore: (event, run) => {
        JSON.parse(event.body!);
        return run(event);
      },
    };

    await expectRed(() => expectRequestUnread('parsed at once', nested(MAX_BODY_BYTES / 2)));
  });

  test('turns red when an answer of any depth is used', async () => {
    // Stands for an answer without the nested part, whose rest the restore function uses.
    handlers.platform.behavior = (response) => response.end(record('0'));

    await expectRed(() => expectAnswerUnread('used', record(nested(64))));
  });

  test('turns red when an answer is parsed before its size is checked', async () => {
    const bomb = record(nested(64));
    handlers.platform.behavior = (response) => response.end(bomb);
    await expectAnswerUnread('refused', bomb);
    handlers.hole = {
      wrong: 'every answer is parsed',
      restore: async (event, run) => {
        const answer = await run(event);
        JSON.parse(bomb);
        return answer;
      },
    };

    await expectRed(() => expectAnswerUnread('parsed at once', bomb));
  });
});
