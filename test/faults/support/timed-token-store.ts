import { type TokenKey } from '../../../contract/token-key';
import { InMemoryTokenStore } from '../../support/lambdas/in-memory-token-store';
import { type VirtualClock } from '../../support/lambdas/virtual-clock';
import { type Version } from './world';

/** The fake store, which remembers the true time of every write. */
export class TimedTokenStore extends InMemoryTokenStore {
  readonly #writtenAtMs = new Map<string, number>();
  readonly #time: VirtualClock;

  constructor(clock: VirtualClock) {
    super(clock);
    this.#time = clock;
  }

  override putValue(...[key, versionId, ...rest]: Parameters<InMemoryTokenStore['putValue']>): void {
    super.putValue(key, versionId, ...rest);
    this.#writtenAtMs.set(versionId, this.#time.monotonicMs());
  }

  /** In the order in which they were written. */
  timedVersions(key: TokenKey): Version[] {
    return this.versions(key).map(({ versionId, labels, value }) => ({
      versionId,
      stages: labels,
      secretString: String(value),
      writtenAtMs: this.#writtenAtMs.get(versionId)!,
    }));
  }
}
