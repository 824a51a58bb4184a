import { type Probe, verdictOf } from '../probe';
import { changeOf, loadNew, runJson, valueOf } from '../with-latchkey';

export const rollback: Probe = {
  id: 'rollback',
  group: 'journeys',
  subject: 'The way back to the previous client credentials',
  reliedOn:
    '`latchkey rollback` proves them and makes them current again; if the platform has revoked them, it changes nothing',
  otherwise: 'a bad credential stays until support issues another',
  needs: 'latchkey',
  async look(system) {
    const { latchkey, aws } = system;
    const tenant = latchkey.tenants[1]!;
    const secret = tenant.secrets['client-credentials'];
    const clientId = async () => (await valueOf<{ clientId: string }>(aws, secret)).clientId;
    const back = () =>
      runJson(latchkey, ['rollback', '--kind', 'client-credentials', '--tenant', tenant.tenantId, '--yes']);

    const first = await clientId();
    await loadNew(latchkey, tenant, 'client-credentials');
    const second = await clientId();
    const done = changeOf(await back());
    const isBack = (await clientId()) === first;
    await latchkey.sandbox.call('DELETE', '/credentials', { clientId: second });
    const refused = changeOf(await back());
    const isUnchanged = (await clientId()) === first;

    return verdictOf(
      done === 'exit code 0, promoted' && isBack && refused.startsWith('exit code 77') && isUnchanged,
      `${done}, ${isBack ? 'the previous ones again' : 'other ones'}; to revoked ones: ${refused}, ${isUnchanged ? 'nothing changed' : 'changed'}`,
    );
  },
};
