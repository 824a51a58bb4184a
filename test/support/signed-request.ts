import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

import { type AccessKey } from '../../core/deployment/local-run';

export interface Signing {
  service: string;
  region: string;
  credentials: AccessKey;
  /** @default now */
  signedAtMs?: number;
}

/** The headers of a request including its signature (Signature Version 4). */
export async function signedHeaders(
  { service, region, credentials, signedAtMs = Date.now() }: Signing,
  request: { method: string; url: string; headers: Record<string, string>; body: string },
): Promise<Record<string, string>> {
  const { accessKeyId, secretAccessKey } = credentials;
  const signer = new SignatureV4({
    service,
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
  });
  const { protocol, hostname, port, pathname, host } = new URL(request.url);
  const unsigned = {
    method: request.method,
    protocol,
    hostname,
    port: Number(port),
    path: pathname,
    headers: { host, ...request.headers },
    body: request.body,
  };
  const signed = await signer.sign(unsigned, { signingDate: new Date(signedAtMs) });
  return signed.headers;
}
