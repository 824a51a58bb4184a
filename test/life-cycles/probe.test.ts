import { configured, TENANT_IDS } from './support/configured';
import { LiveAccount } from './support/live-account';
import { Traffic } from './support/traffic';

beforeEach(() => {
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});
test('probe', async () => {
  const t = [Date.now()];
  const assembly = configured();
  t.push(Date.now());
  const live = new LiveAccount(TENANT_IDS);
  await live.deploy(assembly);
  t.push(Date.now());
  const traffic = await Traffic.begin(live, assembly.deployments[0]!);
  t.push(Date.now());
  await live.time.advance(30 * 60_000);
  await traffic.end();
  t.push(Date.now());
  console.log(
    t.map((x, i) => x - (t[i - 1] ?? x)),
    traffic.reads,
    traffic.restores,
    traffic.failed.slice(0, 5),
    traffic.failed.length,
    live.notified,
    live.reporter,
    Object.keys(live.stored()),
  );
}, 60_000);
