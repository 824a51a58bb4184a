import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;
const VALID_DAYS = 30;

/** A server's certificate with its key, and the authority to trust for it. All PEM. */
export interface TlsIdentity {
  readonly caCertificate: string;
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * Makes a certification authority and a certificate for 127.0.0.1 and localhost. The authority's key is used once and
 * forgotten, so that nobody who trusts it can be served a second certificate.
 *
 * The certificates follow the real clock: it is the clients' own clock that judges them.
 * @see RFC 5280, sections 4.2.1.1 to 4.2.1.12 (the extensions that strict clients ask for)
 */
export async function createTlsIdentity(): Promise<TlsIdentity> {
  const authorityKeys = await generateKeys();
  const serverKeys = await generateKeys();
  const validity = {
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
  };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Learning platform sandbox CA',
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const server = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: serverKeys.publicKey,
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
      await x509.SubjectKeyIdentifierExtension.create(serverKeys.publicKey),
    ],
  });
  return {
    caCertificate: authority.toString('pem'),
    certificate: server.toString('pem'),
    privateKey: KeyObject.from(serverKeys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
