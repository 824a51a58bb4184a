import { SignatureV4 } from '@smithy/signature-v4';

import { NodeSha256 } from '../cli/restore/signature-authorizer';
import { type HttpsAnswer, type HttpsRequest } from '../probes/system';
import { clientsWith } from './clients';
import { configOfRole } from './config-of-role';
import { type Ports } from './ports';

const CONNECT_MS = 5_000;
const TOTAL_MS = 35_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Sends a request, for `execute-api` also a signed one. */
export async function requestHttps(
  ports: Ports,
  address: string,
  { method = 'GET', headers = {}, body = '', signedBy }: HttpsRequest = {},
): Promise<HttpsAnswer> {
  const url = new URL(address);
  const request = { url, method, headers, body };
  const signed = signedBy === undefined ? headers : await signedHeaders(ports, request, signedBy);
  const answer = await ports.sendRequest({
    ...{ url, method, body, headers: signed },
    ...{ connectTimeoutMs: CONNECT_MS, totalTimeoutMs: TOTAL_MS, maxAnswerBytes: MAX_ANSWER_BYTES },
  });
  const present = Object.entries(answer.headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { status: answer.status, headers: Object.fromEntries(present), body: answer.body };
}

interface Unsigned {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function signedHeaders(
  ports: Ports,
  { url, method, headers, body }: Unsigned,
  by: NonNullable<HttpsRequest['signedBy']>,
): Promise<Record<string, string>> {
  const config = by === 'caller' ? ports.clientConfig() : await configOfRole(ports, by.roleArn);
  const { sts } = clientsWith(config);
  const signer = new SignatureV4({
    ...{ service: 'execute-api', region: config.region, credentials: sts.config.credentials },
    sha256: NodeSha256,
  });
  const { hostname, port, pathname, protocol, host, searchParams } = url;
  const unsigned = {
    ...{ method, protocol, hostname, path: pathname, body },
    ...(port !== '' && { port: Number(port) }),
    query: Object.fromEntries(searchParams),
    headers: { ...headers, host },
  };
  return (await signer.sign(unsigned, { signingDate: await ports.time.now() })).headers;
}
