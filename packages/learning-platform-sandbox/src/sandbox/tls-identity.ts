import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { type CertificateFault } from './fault';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const VALID_DAYS = 30;
const LOCAL_NAMES: x509.JsonGeneralNames = [
  { type: 'ip', value: '127.0.0.1' },
  { type: 'dns', value: 'localhost' },
];

/** A server's certificate and its key, both PEM. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly privateKey: string;
}
/** {@link ServerIdentity} with the CA certificate to trust, PEM. */
interface TlsIdentity extends ServerIdentity {
  readonly caCertificate: string;
}
/** {@link TlsIdentity} with one faulty certificate for each kind of fault. */
export interface TlsIdentityWithFaults extends TlsIdentity {
  readonly faulty: Readonly<Record<CertificateFault, ServerIdentity>>;
}

/**
 * Creates a CA and a certificate for 127.0.0.1 and localhost. The CA's key is discarded, so that it can never sign another
 * certificate. Validity follows the real clock, not the sandbox's, because clients check it against theirs.
 * @see RFC 5280, sections 4.2.1.1 to 4.2.1.12 (the extensions that strict clients ask for)
 */
export async function createTlsIdentity(): Promise<TlsIdentity> {
  const authority = await Authority.create('Learning platform sandbox CA');
  return { caCertificate: authority.certificate, ...(await authority.issue()) };
}

/** Like {@link createTlsIdentity}, plus certificates that a client must refuse, each for one reason. */
export async function createTlsIdentityWithFaults(): Promise<TlsIdentityWithFaults> {
  const authority = await Authority.create('Learning platform sandbox CA');
  const stranger = await Authority.create('Authority that nobody trusts');
  return {
    caCertificate: authority.certificate,
    ...(await authority.issue()),
    faulty: {
      expired: await authority.issue({ notAfterMs: Date.now() - HOUR_MS }),
      'wrong-host': await authority.issue({ names: [{ type: 'dns', value: 'elsewhere.invalid' }] }),
      untrusted: await stranger.issue(),
    },
  };
}

/** A CA that signs certificates of servers. */
export class Authority {
  readonly #certificate: x509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#certificate = certificate;
    this.#keys = keys;
  }

  static async create(name: string): Promise<Authority> {
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      ...validity(),
      name: `CN=${name}`,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return new Authority(certificate, keys);
  }

  /** PEM. */
  get certificate(): string {
    return this.#certificate.toString('pem');
  }

  /** Issues a certificate with a new key. Default: valid for 30 days, for 127.0.0.1 and localhost. */
  async issue(options: { notAfterMs?: number; names?: x509.JsonGeneralNames } = {}): Promise<ServerIdentity> {
    const keys = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity(options.notAfterMs),
      subject: 'CN=localhost',
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(options.names ?? LOCAL_NAMES),
        await x509.AuthorityKeyIdentifierExtension.create(this.#keys.publicKey),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return {
      certificate: certificate.toString('pem'),
      privateKey: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }
}

function validity(notAfterMs = Date.now() + VALID_DAYS * DAY_MS) {
  return {
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(notAfterMs),
    signingAlgorithm: ALGORITHM,
  };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
