import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;

/** What a server shows, PEM. */
export interface ServerCertificate {
  cert: string;
  key: string;
}

/** An authority of this test run, which makes certificates as right or as wrong as a test needs them. */
export class CertificateAuthority {
  readonly certificatePem: string;
  readonly #certificate: x509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#certificate = certificate;
    this.#keys = keys;
    this.certificatePem = certificate.toString('pem');
  }

  static async create(): Promise<CertificateAuthority> {
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Test authority',
      keys,
      ...validity(1),
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    });
    return new CertificateAuthority(certificate, keys);
  }

  /**
   * A certificate of this authority.
   * @param lastsDays negative: it ended so many days ago
   */
  async issue({ name = 'localhost', lastsDays = 1 } = {}): Promise<ServerCertificate> {
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      ...validity(lastsDays),
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
    });
    return { cert: certificate.toString('pem'), key: privateKeyPem(keys) };
  }
}

/** A certificate for localhost that nobody but itself has signed. */
export async function selfSigned(): Promise<ServerCertificate> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    ...validity(1),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  });
  return { cert: certificate.toString('pem'), key: privateKeyPem(keys) };
}

/** By the real clock: it is the client's TLS that judges it. */
function validity(lastsDays: number) {
  const notAfter = new Date(Date.now() + lastsDays * DAY_MS);
  return { notBefore: new Date(notAfter.getTime() - 30 * DAY_MS), notAfter, signingAlgorithm: ALGORITHM };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function privateKeyPem(keys: webcrypto.CryptoKeyPair): string {
  return KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
}
