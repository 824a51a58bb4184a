import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

import { Authority } from 'learning-platform-sandbox/testing';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;

export interface ServerCertificate {
  cert: string;
  key: string;
}

export class CertificateAuthority {
  readonly certificatePem: string;
  readonly #authority: Authority;

  private constructor(authority: Authority) {
    this.#authority = authority;
    this.certificatePem = authority.certificate;
  }

  static async create(): Promise<CertificateAuthority> {
    return new CertificateAuthority(await Authority.create('Test authority'));
  }

  /**
   * Issues a certificate.
   * @param address an IP address to name besides
   * @param lastsDays if negative, the days since it expired
   */
  async issue({
    name = 'localhost',
    address,
    lastsDays = 1,
  }: { name?: string; address?: string; lastsDays?: number } = {}): Promise<ServerCertificate> {
    const { certificate, privateKey } = await this.#authority.issue({
      notAfterMs: Date.now() + lastsDays * DAY_MS,
      names: [
        { type: 'dns', value: name },
        ...(address === undefined ? [] : [{ type: 'ip' as const, value: address }]),
      ],
    });
    return { cert: certificate, key: privateKey };
  }
}

export async function selfSigned(): Promise<ServerCertificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    signingAlgorithm: ALGORITHM,
    // By the real clock, which the client's TLS uses.
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: certificate.toString('pem'), key };
}
