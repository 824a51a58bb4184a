/**
 * Before each test file: ends what earlier files of this worker left. Jest makes an AsyncLocalStorage for every file and
 * never ends it, so that on Node 20 each promise of a file pays for all files before: late in a run, a file that makes
 * many promises took six times as long.
 * @see https://nodejs.org/docs/latest-v20.x/api/async_context.html#asynclocalstoragedisable
 */
import { AsyncLocalStorage } from 'node:async_hooks';

type Storage = AsyncLocalStorage<unknown>;

/** As Node 20 has it. Where promises carry their context by themselves (Node 24), there is no such method. */
interface Prototype {
  _enable?: (this: Storage) => void;
  [ENABLED]?: Set<Storage>;
}

/** Found again by the next file, whose modules are all new, where only Node's own are the same. */
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
