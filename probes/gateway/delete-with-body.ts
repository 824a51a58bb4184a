import { type Probe, verdictOf } from '../probe';

export const deleteWithBody: Probe = {
  id: 'delete-with-body',
  group: 'gateway',
  subject: 'A `DELETE` with a body, through API Gateway',
  reliedOn: 'the body reaches the function',
  otherwise: 'the sandbox cannot revoke what a run has issued',
  sources: ['https://www.rfc-editor.org/rfc/rfc9110#name-delete'],
  needs: 'latchkey',
  async look({ latchkey }) {
    const { sandbox, tenants, environment, platformRegion } = latchkey;
    const { tenantId } = tenants[0]!;
    const key = { environment, platformRegion, tenantId };
    const { clientId } = (await sandbox.call('POST', '/credentials', key)) as { clientId: string };
    const revoked = await sandbox.call('DELETE', '/credentials', { clientId }).then(
      () => true,
      () => false,
    );
    return verdictOf(revoked, revoked ? 'the credential is revoked' : 'the sandbox refused it');
  },
};
