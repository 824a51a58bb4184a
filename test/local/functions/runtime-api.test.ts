import { RuntimeApi } from '../../../local/functions/runtime-api';
import { announcedConnection } from '../../support/idle-connections';

test('the connection that delivered an event stays open until the process sends its result, however late', async () => {
  const api = new RuntimeApi();
  const address = await api.listen();
  const requestId = 'a-request';
  api.deliver({ requestId, payload: Buffer.from('{}'), functionArn: 'arn', deadlineMs: 0, offsetMs: 0 });

  const connection = await announcedConnection(`http://${address}/2018-06-01/runtime/invocation/next`);

  api.close();
  expect(connection).toBe('keep-alive');
});
