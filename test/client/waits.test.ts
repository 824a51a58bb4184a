import { SharedWaits } from '../../client/waits';

let waits: SharedWaits<number>;
let begun: number;
let settle: ((value: number) => void)[];

beforeEach(() => {
  waits = new SharedWaits();
  begun = 0;
  settle = [];
});
const begin = () => {
  begun += 1;
  return new Promise<number>((resolve) => void settle.push(resolve));
};

test.each<[string, [string, number, number], number]>([
  ['of the same moment share a wait', ['a', 25_000, 250], 1],
  ['who come later wait for themselves, so that nobody waits shorter than he would', ['a', 25_000, 251], 2],
  ['who are less patient wait for themselves', ['a', 24_999, 0], 2],
  ['who want something else wait for that', ['b', 25_000, 0], 2],
])('callers %s', (_, [name, timeoutMs, nowMs], expected) => {
  void waits.share('a', 25_000, 0, begin);

  void waits.share(name, timeoutMs, nowMs, begin);

  expect(begun).toBe(expected);
});

test('nobody comes to a wait that is over, or whose outcome is no good any more', async () => {
  const first = waits.share('a', 25_000, 0, begin);
  settle[0]!(1);
  await first;
  void waits.share('a', 25_000, 0, begin);
  waits.forget('a');
  void waits.share('a', 25_000, 0, begin);

  expect(begun).toBe(3);
});
