/**
 * Runs before each test file, and disables the AsyncLocalStorage that jest left enabled for every earlier
 * file of this worker. On Node 20 each enabled one slows down every promise: late in a run, some files took
 * six times as long.
 * @see https://nodejs.org/docs/latest-v20.x/api/async_context.html#asynclocalstoragedisable
 */
import { AsyncLocalStorage } from 'node:async_hooks';

type Storage = AsyncLocalStorage<unknown>;

/** The method of Node 20. Node 24 propagates context natively, and has no such method. */
interface Prototype {
  _enable?: (this: Storage) => void;
  [ENABLED]?: Set<Storage>;
}

/** A global symbol, since the next file loads all modules anew and shares only Node's own. */
const ENABLED = Symbol.for('latchkey.enabled-async-storages');

const prototype = AsyncLocalStorage.prototype as unknown as Prototype;
if (prototype[ENABLED] === undefined) {
  noteEnabled(prototype, (prototype[ENABLED] = new Set()));
} else {
  for (const storage of prototype[ENABLED]) storage.disable();
  prototype[ENABLED].clear();
}

function noteEnabled(of: Prototype, enabled: Set<Storage>): void {
  const enable = of._enable;
  if (enable === undefined) return;
  of._enable = function () {
    enabled.add(this);
    enable.call(this);
  };
}
