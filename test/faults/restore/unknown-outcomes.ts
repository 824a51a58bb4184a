import { answerOf } from '../../support/lambdas/restore-functions';
import { type BodyName, isProcessed, type PlatformFault } from './platform-fault';
import { expectTold, type RestoreWorld, type Told } from './restore-world';
import { alterResults, restoreRow } from './virtual-restore';
import { WireRestoreWorld } from './wire-restore';

const BROKEN = (['first byte', 'request', 'processed', 'half the answer'] as const).map(
  (at): PlatformFault => ({ kind: 'broken', at }),
);
/** On virtual time only, since these last until the deadline. */
const SILENT = (['request', 'processed', 'half the answer'] as const).map((at): PlatformFault => ({
  kind: 'silent',
  at,
}));

/** F29 */
export const BROKEN_AFTER_SEND = restoreRow({
  id: 'F29',
  fault: 'after a restore request was sent, the connection breaks or no answer comes',
  variant: (draw, where) => ({ first: draw.oneOf(where === 'wire' ? BROKEN : [...SILENT, ...BROKEN]) }),
  virtual: (world, { first }) => expectUnanswered(world, first),
  async wire({ first }) {
    for (const fault of [first, ...BROKEN.filter((other) => other !== first)]) {
      await expectUnanswered(await WireRestoreWorld.start(), fault);
      // A reused connection that breaks leaves the outcome just as unknown: the platform may have closed it
      // before or after it read the request. So the answer promises nothing, and nothing is sent again.
      await expectUnanswered(await WireRestoreWorld.start({ isKept: true }), fault);
    }
  },
  hole: {
    words: 'a request without an answer is sent again',
    open: ({ fn }) => alterResults(fn, (result, again) => (result.kind === 'no_answer' ? again() : result)),
  },
});

async function expectUnanswered(world: RestoreWorld, fault: PlatformFault): Promise<void> {
  world.meet(fault);

  const told = await world.restore();

  expectAdviceToCheckFirst(told);
  const posts = fault.kind === 'broken' && fault.at === 'first byte' ? 0 : 1;
  const restored = isProcessed(fault) ? 1 : 0;
  await expectTold(world, told, { status: 504, code: 'outcome_unknown', posts, restored });
}

/** F30 */
export const CALLER_RETRIES = restoreRow({
  id: 'F30',
  fault: 'the caller retries after a restore with an unknown outcome',
  variant: (draw, where) => ({ first: draw.oneOf(where === 'wire' ? BROKEN : [...BROKEN, ...SILENT]) }),
  virtual: (world, { first }) => expectRestoredOnce(world, first),
  async wire({ first }) {
    for (const fault of [first, ...BROKEN.filter((other) => other !== first)]) {
      await expectRestoredOnce(await WireRestoreWorld.start(), fault);
    }
  },
  hole: {
    words: 'the caller does not learn of the earlier attempt',
    with: { first: { kind: 'broken', at: 'processed' } },
    open(world) {
      const { restore } = world;
      world.restore = async () => ({
        ...(await restore.call(world)),
        detail: 'The content is not archived.',
      });
    },
  },
});

async function expectRestoredOnce(world: RestoreWorld, fault: PlatformFault): Promise<void> {
  world.meet(fault);
  expect(await world.restore()).toMatchObject({ code: 'outcome_unknown' });
  const postsBefore = world.posts();
  const sendsBefore = world.sends();

  const next = await world.restore();

  if (isProcessed(fault)) {
    expect(next).toMatchObject({ status: 409, code: 'not_archived' });
    expect(next.detail).toMatch(/earlier attempt may have restored it/);
  } else expect(next.status).toBe(200);
  expect(world.posts()).toBe(postsBefore + 1);
  expect(world.sends()).toBeLessThanOrEqual(sendsBefore + 1);
  expect(await world.timesRestored()).toBe(1);
}

/** Statuses that the specification does not list for the operation, including redirects. */
const UNDOCUMENTED = [
  ...[500, 501, 503, 504, 599, 301, 302, 303, 307, 308, 304, 300],
  ...[400, 402, 405, 406, 408, 410, 412, 413, 418, 425, 428, 451, 201, 202, 203, 206, 226],
];
const UNREADABLE: readonly BodyName[] = [
  'none',
  'HTML',
  'problem',
  'the record, cut',
  'the record without items',
  'the record with invalid items',
  'the record with an invalid status',
  'another record',
  'a list',
  'null',
  'more than 1 MiB',
];
const HEADERS = {
  'retry-after': '1',
  // A location that no request must follow.
  location: 'https://localhost:9/elsewhere',
};
const ANSWERS: readonly PlatformFault[] = [
  ...UNDOCUMENTED.map((status, index): PlatformFault => ({
    kind: 'answer',
    status,
    body: (['problem', 'the record', 'HTML', 'more than 1 MiB'] as const)[index % 4]!,
    headers: HEADERS,
    isProcessed: index % 3 === 0,
  })),
  ...[true, false].map((isDone): PlatformFault => ({
    kind: 'answer',
    status: 204,
    body: 'none',
    isProcessed: isDone,
  })),
  ...UNREADABLE.map((body): PlatformFault => ({ kind: 'answer', status: 200, body, isProcessed: true })),
];

/** F32 */
export const UNKNOWN_ANSWER = restoreRow({
  id: 'F32',
  fault: 'the platform’s answer leaves the outcome unknown, or the function crashes',
  variant: (draw) => ({ first: draw.oneOf(ANSWERS) }),
  virtual: (world, { first }) => expectUnknown(world, first),
  async wire({ first }) {
    for (const fault of [first, ...ANSWERS.filter((other) => other !== first)]) {
      await expectUnknown(await WireRestoreWorld.start({ isKept: true }), fault);
    }
    for (const crash of CRASHES) await expectCrashUnknown(crash);
  },
  hole: {
    words: 'an answer that leaves the outcome unknown counts as a 502',
    open({ fn }) {
      alterResults(fn, () => answerOf(502));
    },
  },
});

async function expectUnknown(world: RestoreWorld, fault: PlatformFault): Promise<void> {
  world.meet(fault);

  const told = await world.restore();

  expectAdviceToCheckFirst(told);
  const restored = isProcessed(fault) ? 1 : 0;
  await expectTold(world, told, { status: 500, code: 'outcome_unknown', posts: 1, restored });
}

/** The answer has no Retry-After, since the caller must check before trying again. */
function expectAdviceToCheckFirst({ detail, retryAfter }: Told): void {
  expect(detail).toMatch(/Check before you retry/);
  expect(retryAfter).toBeUndefined();
}

/**
 * What Lambda returns to API Gateway instead of the function's answer. The caller must not get 502, which
 * promises that nothing was modified.
 */
const CRASHES = [
  { kind: 'function-error', functionError: 'Unhandled', payload: '{"errorType":"Runtime.ExitError"}' },
  { kind: 'function-error', functionError: 'Handled', payload: '{"errorMessage":"x"}' },
  { kind: 'ok', payload: 'null' },
  { kind: 'ok', payload: '{"status":200}' },
  { kind: 'ok', payload: '{"statusCode":"no number","body":"x"}' },
] as const;

async function expectCrashUnknown({ payload, ...crash }: (typeof CRASHES)[number]): Promise<void> {
  const world = await WireRestoreWorld.start({ isKept: true });
  const { functions, account } = world.api;
  const invoke = functions.invoke.bind(functions);
  const restore = [...account.functions.values()].find(
    ({ environment }) => 'TOKEN_REFRESH_ARN' in environment,
  )!;
  const crashing = jest.spyOn(functions, 'invoke').mockImplementation(async (arn, event) => {
    const result = await invoke(arn, event);
    if (arn !== restore.arn) return result;
    return { ...crash, payload: Buffer.from(payload), logTail: '', requestId: 'invocation-1' };
  });

  const told = await world.restore();

  crashing.mockRestore();
  expectAdviceToCheckFirst(told);
  expect(told).toMatchObject({ status: 500, code: 'outcome_unknown' });
  expect([world.posts(), await world.timesRestored()]).toEqual([1, 1]);
}
