import { expectRed } from './expect-red';

test.each<[string, () => unknown]>([
  ['a value is another', () => expect(1).toBe(2)],
  ['a promise resolves instead', () => expect(Promise.resolve()).rejects.toThrow()],
  ['a promise rejects instead', () => expect(Promise.reject(new Error())).resolves.toBe(1)],
])('counts as red: %s', (_, check) => expectRed(check));

test.each<[string, () => unknown]>([
  ['every assertion holds', () => expect(1).toBe(1)],
  ['the check crashes', () => Promise.reject(new TypeError('no such method'))],
  ['no promise is given to rejects', () => expect(5).rejects.toThrow()],
  ['no function is given to toThrow', () => expect(5).toThrow()],
])('does not count as red: %s', async (_, check) => {
  await expect(expectRed(check)).rejects.toThrow();
});
