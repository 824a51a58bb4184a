import { BoundedMap } from '../../src/sandbox/bounded-map';

test('a full map drops its oldest entry for a new one', () => {
  const map = new BoundedMap<string, number>(2);

  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);

  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ]);
});
