import { type ConsoleState } from '../../../local/console/console-state';
import { consoleView } from '../../../local/console/console-view';
import { LiveState } from '../../../local/console/live-state';
import { NOW_MS, ShownAccount } from './shown-account';

/** A live state whose reads the test triggers. */
class Watched {
  state: ConsoleState = consoleView(new ShownAccount().input());
  failure: Error | undefined;
  readonly errors: string[] = [];
  readonly delaysMs: number[] = [];
  nowMs = 0;
  /** How long a read takes. */
  readMs = 0;
  private due: (() => void) | undefined;
  readonly live = new LiveState({
    readState: async () => {
      this.nowMs += this.readMs;
      if (this.failure) throw this.failure;
      return this.state;
    },
    onError: ({ message }) => this.errors.push(message),
    startTimer: (run, delayMs) => {
      this.delaysMs.push(delayMs);
      this.due = () => {
        this.nowMs += delayMs;
        run();
      };
      return () => (this.due = undefined);
    },
    monotonicMs: () => this.nowMs,
  });

  get isLooking(): boolean {
    return this.due !== undefined;
  }

  async look(): Promise<void> {
    const run = this.due;
    this.due = undefined;
    run?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

let watched: Watched;
beforeEach(() => (watched = new Watched()));

test('sends a new watcher the state at once, and reads again every 200 ms', async () => {
  const told: unknown[] = [];
  watched.live.watch((state) => told.push(state));

  await watched.look();

  expect(told).toEqual([watched.state]);
  expect(watched.delaysMs).toEqual([0, 200]);
});

test('sends changes, and nothing if only the time changes', async () => {
  const told: number[] = [];
  watched.live.watch(({ nowMs }) => told.push(nowMs));
  await watched.look();

  watched.state = { ...watched.state, nowMs: NOW_MS + 200 };
  await watched.look();
  watched.state = { ...watched.state, nowMs: NOW_MS + 400, isAdvancing: true };
  await watched.look();

  expect(told).toEqual([NOW_MS, NOW_MS + 400]);
});

test('sends an unchanged state after 10 s, so that the page knows the system is running', async () => {
  let told = 0;
  watched.live.watch(() => (told += 1));

  for (let n = 0; n <= 50; n += 1) await watched.look();

  expect(told).toBe(2);
});

test('stops reading when nobody watches', async () => {
  const end = watched.live.watch(() => undefined);
  await watched.look();

  end();

  expect(watched.isLooking).toBe(false);
  expect(watched.live.watcherCount).toBe(0);
});

test('continues after a failed read, and reports the same failure once', async () => {
  let told = 0;
  watched.live.watch(() => (told += 1));
  watched.failure = new Error('no sandbox');
  await watched.look();
  await watched.look();

  watched.failure = undefined;
  await watched.look();

  expect(watched.errors).toEqual(['no sandbox']);
  expect(told).toBe(1);
});

test('sends only what has changed, and the whole state to a new watcher', async () => {
  const [first, second] = [[], []] as unknown[][];
  watched.live.watch((update) => first!.push(update));
  await watched.look();
  const [deployment, ...rest] = watched.state.deployments;
  const [tenant, ...others] = deployment!.tenants;
  const renewed = {
    ...tenant!,
    tokens: tenant!.tokens.map((token) => ({ ...token, expiresAtMs: NOW_MS + 1 })),
  };
  const state = {
    ...watched.state,
    nowMs: NOW_MS + 200,
    deployments: [{ ...deployment!, tenants: [renewed, ...others] }, ...rest],
  };
  watched.state = state;
  watched.live.watch((update) => second!.push(update));
  await watched.look();

  expect(first!.slice(1)).toEqual([
    { nowMs: NOW_MS + 200, tenants: [{ deploymentAt: 0, tenantAt: 0, tenant: renewed }] },
  ]);
  expect(second).toEqual([state]);
});

test('sends the whole state if the tenants are others', async () => {
  const told: unknown[] = [];
  watched.live.watch((update) => told.push(update));
  await watched.look();
  const [deployment, ...rest] = watched.state.deployments;
  watched.state = { ...watched.state, deployments: [{ ...deployment!, tenants: [] }, ...rest] };
  await watched.look();

  expect(told[1]).toEqual(watched.state);
});

test('spends at most a fifth of the time on reading', async () => {
  watched.readMs = 300;
  watched.live.watch(() => undefined);
  await watched.look();

  expect(watched.delaysMs).toEqual([0, 1200]);
});
