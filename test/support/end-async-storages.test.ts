import { AsyncLocalStorage } from 'node:async_hooks';

it('disables the storages of the previous test file', () => {
  const storage = new AsyncLocalStorage<string>();

  storage.run('of the file before', () => {
    expect(storage.getStore()).toBe('of the file before');
    jest.isolateModules(() => jest.requireActual('./end-async-storages'));

    expect(storage.getStore()).toBeUndefined();
  });

  expect(storage.run('of the next', () => storage.getStore())).toBe('of the next');
});
