import { createHash, createHmac } from 'node:crypto';

import { SignatureV4 } from '@smithy/signature-v4';

import { type AccessKey } from '../../../core/deployment/local-run';

/** The signer and the request. */
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
    sha256: NodeSha256,
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

/** The SDK's hash interface, implemented with Node's hashes. */
class NodeSha256 {
  private readonly hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(data as Uint8Array);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {}
}
