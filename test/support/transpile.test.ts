import type * as esbuild from 'esbuild';

interface Transpiler {
  getCacheKey(source: string, sourcefile: string): string;
}

/** Jest's cache key for a module, with this esbuild version installed. */
function keyOf(version: string, source: string, sourcefile: string): string {
  let key = '';
  jest.isolateModules(() => {
    jest.doMock('esbuild', () => ({ ...jest.requireActual<typeof esbuild>('esbuild'), version }));
    key = jest.requireActual<Transpiler>('./transpile.cjs').getCacheKey(source, sourcefile);
  });
  return key;
}

it('keeps the cache key while esbuild, source and path stay the same', () => {
  const key = keyOf('1.0.0', 'a', '/a.ts');

  expect(keyOf('1.0.0', 'a', '/a.ts')).toBe(key);
  expect(new Set([key, keyOf('1.0.1', 'a', '/a.ts'), keyOf('1.0.0', 'b', '/a.ts')]).size).toBe(3);
  expect(keyOf('1.0.0', 'a', '/b.ts')).not.toBe(key);
});
