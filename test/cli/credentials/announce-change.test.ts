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

test('a change is announced by rotate-credentials, without waiting for it', async () => {
  await announce(async () => true);

  const event = {
    action: 'announce',
    change: 'revoked',
    tenantId: TENANT,
    credential: 'api-key',
    versionId: 'version-1',
  };
  expect(world.invoked).toEqual([{ functionName: 'rotate-credentials', isAsync: true, event }]);
  expect(world.terminal.said).toEqual([]);
});

test.each<[string, Deployment['sendsEvents']]>([
  ['sends no events', async () => false],
  ['is of a system that knows none', undefined],
])('a deployment that %s is not asked', async (_, sendsEvents) => {
  await announce(sendsEvents);

  expect([world.invoked, world.terminal.said]).toEqual([[], []]);
});

test('a failure is said, and the change stays; a bug is thrown', async () => {
  await announce(() => Promise.reject(new CommandError(EXIT.failed, 'not_allowed', 'you may not')));

  expect(world.terminal.said).toEqual([
    'No event of this was sent; readers find the change when their caches expire: you may not',
  ]);
  await expect(announce(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow(TypeError);
});
