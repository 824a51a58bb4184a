import type * as esbuild from 'esbuild';

// The real esbuild, counted: its exports cannot be spied on. To be imported before whatever uses it.
jest.mock('esbuild', () => {
  const actual = jest.requireActual<typeof esbuild>('esbuild');
  return { ...actual, buildSync: jest.fn(actual.buildSync) };
});
