import { BoundedList, BoundedMap } from '../../src/sandbox/bounded';

test('a full map drops its oldest entry for a new one', () => {
  const map = new BoundedMap<string, number>(2);

  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);

  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ]);
});

test('a full list drops its oldest entry for a new one', () => {
  const list = new BoundedList<string>(2);

  for (const entry of ['a', 'b', 'c']) list.add(entry);

  expect(list.all()).toEqual(['b', 'c']);
});
