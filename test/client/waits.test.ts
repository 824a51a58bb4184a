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
  ['at the same moment share a wait', ['a', 25_000, 250], 1],
  ['who come later have their own wait, so that no wait is too short', ['a', 25_000, 251], 2],
  ['with a shorter timeout have their own wait', ['a', 24_999, 0], 2],
  ['for another name have their own wait', ['b', 25_000, 0], 2],
])('callers %s', (_, [name, timeoutMs, nowMs], expected) => {
  void waits.share('a', 25_000, 0, begin);

  void waits.share(name, timeoutMs, nowMs, begin);

  expect(begun).toBe(expected);
});

test('nobody joins a wait that is over or was forgotten', async () => {
  const first = waits.share('a', 25_000, 0, begin);
  settle[0]!(1);
  await first;
  void waits.share('a', 25_000, 0, begin);
  waits.forget('a');
  void waits.share('a', 25_000, 0, begin);

  expect(begun).toBe(3);
});
