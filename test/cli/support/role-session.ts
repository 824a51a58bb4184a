import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const ISSUED: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } = {
  accessKeyId: 'ASIAROLE',
  secretAccessKey: 'issued',
  sessionToken: 'token',
};

/** What STS answers to who may assume a role. */
export function roleSession({ accessKeyId, secretAccessKey, sessionToken = '' } = ISSUED): string {
  return `<AssumeRoleResponse><AssumeRoleResult><Credentials>
    <AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
    <SessionToken>${sessionToken}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>
    </Credentials></AssumeRoleResult></AssumeRoleResponse>`;
}

/** The text of an AWS configuration file whose profile `operators` assumes a role, as `aws configure` writes it. */
export function profilesWithRole(role: string, mfa?: string): string {
  return [
    '[profile base]',
    'aws_access_key_id = AKIABASE',
    'aws_secret_access_key = own',
    '[profile operators]',
    'source_profile = base',
    `role_arn = ${role}`,
    ...(mfa === undefined ? [] : [`mfa_serial = ${mfa}`]),
  ].join('\n');
}

/** STS on loopback. @returns its address, the forms that it gets, and its end */
export async function startSts(answer: () => { status?: number; body: string }) {
  const forms: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    void text(request).then((form) => {
      forms.push(new URLSearchParams(form));
      const { status = 200, body } = answer();
      response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, forms, stop };
}
