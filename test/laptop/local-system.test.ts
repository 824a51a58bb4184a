import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { JobError, LocalSystem } from '../../laptop/main-job/local-system';
import { newFolder } from '../support/new-folder';

const ADMINISTRATOR = 'arn:aws:iam::111111111111:user/administrator';

it('the main job, whose administrator may not read a token, says which setting lets it', async () => {
  const Message = `User: ${ADMINISTRATOR} is not authorized to perform: secretsmanager:GetSecretValue`;
  const refused = { SecretId: 'latchkey/token', ErrorCode: 'AccessDeniedException', Message };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ SecretValues: [], Errors: [refused] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const key = { accessKeyId: 'administrator', secretAccessKey: 'made-up' };
  const place = { region: 'eu-west-1', accountId: '111111111111' };
  const aws = { endpoint: `http://127.0.0.1:${port}`, ...place, ...key };
  const folder = newFolder();
  writeFileSync(join(folder, 'ca.pem'), '');
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ aws, operator: key, caFile: 'ca.pem' }));

  const failure = await new LocalSystem(folder, '.')
    .readSecret('latchkey/token')
    .catch((error: unknown) => error);

  server.close().closeAllConnections();
  expect(failure).toBeInstanceOf(JobError);
  expect((failure as Error).message).toContain(`${ADMINISTRATOR}" to secretReaders.tokens`);
});
