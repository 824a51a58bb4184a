import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { JobError, LocalSystem } from '../../laptop/main-job/local-system';
import { newFolder } from '../support/new-folder';

const ADMINISTRATOR = 'arn:aws:iam::111111111111:user/administrator';

describe('the main job, whose administrator may not read a token', () => {
  const folder = newFolder();
  let server: Server;

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
      const Message = `User: ${ADMINISTRATOR} is not authorized to perform: secretsmanager:GetSecretValue`;
      const refused = { SecretId: 'latchkey/token', ErrorCode: 'AccessDeniedException', Message };
      response.end(JSON.stringify({ SecretValues: [], Errors: [refused] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const key = { accessKeyId: 'administrator', secretAccessKey: 'made-up' };
    const aws = {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-west-1',
      accountId: '111111111111',
      ...key,
    };
    writeFileSync(join(folder, 'ca.pem'), '');
    writeFileSync(join(folder, 'local.json'), JSON.stringify({ aws, operator: key, caFile: 'ca.pem' }));
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('says which setting lets it', async () => {
    const reading = new LocalSystem(folder, '.').readSecret('latchkey/token');

    await expect(reading).rejects.toBeInstanceOf(JobError);
    await expect(reading).rejects.toThrow(`${ADMINISTRATOR}" to secretReaders.tokens`);
  });
});
