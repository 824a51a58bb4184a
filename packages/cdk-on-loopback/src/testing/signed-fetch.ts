import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { type AccessKey } from '../iam/access-keys';
import { REGION } from './local-aws';

/** The hash class that the SDK's signer requires, on top of Node's. */
export class Sha256 {
  private readonly hash: Hash | Hmac;

  constructor(secret?: string | Uint8Array) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }

  update(data: string | Uint8Array): void {
    this.hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {}
}

/** Sends a request signed by the SDK's signer, for services whose client isn't a dependency. */
export async function signedFetch(
  url: string,
  key: AccessKey,
  service: string,
  given: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  const { host, hostname, pathname, protocol } = new URL(url);
  const { method = 'POST', headers = {}, body = '' } = given;
  const signer = new SignatureV4({ credentials: key, region: REGION, service, sha256: Sha256 as never });
  const signed = await signer.sign({
    method,
    protocol,
    hostname,
    path: pathname,
    query: {},
    headers: { host, ...headers },
    body,
  });
  return fetch(url, { method, headers: signed.headers, ...(method === 'GET' ? {} : { body }) });
}
