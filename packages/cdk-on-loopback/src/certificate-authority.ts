import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;
const VALID_DAYS = 30;

interface ServerCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** The certificate authority of one run. Its key never leaves this object. */
export interface CertificateAuthority {
  /** PEM of the certificate that clients must trust. */
  readonly certificate: string;
  /** Issues a certificate for 127.0.0.1 and localhost. */
  issueForLoopback(): Promise<ServerCertificate>;
}

/**
 * Creates a certificate authority that is valid for 30 days or until the process exits.
 * Certificates use real time, not the run's clock, because clients check them against their own clock.
 * @see RFC 5280, section 4.2.1 (the extensions that strict clients ask for)
 */
export async function createCertificateAuthority(): Promise<CertificateAuthority> {
  const keys = await generateKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    signingAlgorithm: ALGORITHM,
    name: 'CN=local run CA',
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    certificate: authority.toString('pem'),
    issueForLoopback: () => issueForLoopback(authority, keys),
  };
}

async function issueForLoopback(
  authority: x509.X509Certificate,
  authorityKeys: webcrypto.CryptoKeyPair,
): Promise<ServerCertificate> {
  const keys = await generateKeys();
  const server = await x509.X509CertificateGenerator.create({
    ...validity(),
    signingAlgorithm: ALGORITHM,
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'localhost' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    certificate: server.toString('pem'),
    privateKey: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function validity(): { notBefore: Date; notAfter: Date } {
  const nowMs = Date.now();
  return { notBefore: new Date(nowMs - DAY_MS), notAfter: new Date(nowMs + VALID_DAYS * DAY_MS) };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
