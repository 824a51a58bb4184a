import type * as esbuild from 'esbuild';

// esbuild with a call counter, because its exports cannot be spied on. Import it before anything that uses esbuild.
jest.mock('esbuild', () => {
  const actual = jest.requireActual<typeof esbuild>('esbuild');
  return { ...actual, buildSync: jest.fn(actual.buildSync) };
});
