import { announceChange } from '../../../cli/credentials/announce-change';
import { LabeledSecret } from '../../../cli/credentials/labeled-secret';
import { CommandError } from '../../../cli/command-error';
import { EXIT } from '../../../cli/exit-codes';
import { type Deployment } from '../../../cli/system';
import { TENANT, World } from './support/world';

let world: World;
beforeEach(() => (world = new World()));

/** Announces a revocation in a deployment. */
async function announce(sendsEvents: Deployment['sendsEvents']): Promise<void> {
  const context = world.context();
  const system = await context.system();
  const deployment = { ...system.deployments[0]!, sendsEvents };
  const chosen = { system, deployment, tenant: deployment.tenants[0]! };
  const secret = new LabeledSecret(chosen, 'api-key', world.terminal.interrupted);
  await announceChange(context, secret, 'revoked', 'version-1');
}

test.each<[string, Deployment['sendsEvents'], boolean]>([
  ['that sends events is announced by rotate-credentials, without waiting for it', async () => true, true],
  ['that sends no events is not announced', async () => false, false],
  ['of a system that knows none is not announced', undefined, false],
])('a change in a deployment %s', async (_, sendsEvents, isAnnounced) => {
  await announce(sendsEvents);

  const credential = { tenantId: TENANT, credential: 'api-key', versionId: 'version-1' };
  const event = { action: 'announce', change: 'revoked', ...credential };
  const call = { functionName: 'rotate-credentials', isAsync: true, event };
  expect(world.invoked).toEqual(isAnnounced ? [call] : []);
  expect(world.terminal.said).toEqual([]);
});

test('a failure is said, and the change stays; a bug is thrown', async () => {
  await announce(() => Promise.reject(new CommandError(EXIT.failed, 'not_allowed', 'you may not')));

  expect(world.terminal.said).toEqual([
    'No event of this was sent; readers find the change when their caches expire: you may not',
  ]);
  await expect(announce(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow(TypeError);
});
