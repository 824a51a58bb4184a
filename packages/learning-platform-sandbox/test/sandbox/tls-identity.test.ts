import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createTlsIdentity, createTlsIdentityWithFaults } from '../../src/sandbox/tls-identity';

test('the certificate is for 127.0.0.1 and localhost, on P-256, and signed by the CA', async () => {
  const identity = await createTlsIdentity();

  const authority = new X509Certificate(identity.caCertificate);
  const server = new X509Certificate(identity.certificate);
  expect(server.subjectAltName).toBe('IP Address:127.0.0.1, DNS:localhost');
  expect(server.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  expect(server.verify(authority.publicKey)).toBe(true);
  expect(server.checkIssued(authority)).toBe(true);
  expect([authority.ca, server.ca]).toEqual([true, false]);
});

test('every run has its own CA', async () => {
  const [first, second] = await Promise.all([createTlsIdentity(), createTlsIdentity()]);

  expect(first.caCertificate).not.toBe(second.caCertificate);
});

test('each faulty certificate has exactly one fault', async () => {
  const { caCertificate, faulty } = await createTlsIdentityWithFaults();

  const authority = new X509Certificate(caCertificate);
  const findings = Object.entries(faulty).map(([fault, { certificate, privateKey }]) => {
    const server = new X509Certificate(certificate);
    return {
      fault,
      isOver: Date.parse(server.validTo) < Date.now(),
      isForLocalhost: server.checkHost('localhost') === 'localhost',
      isForLoopback: server.checkIP('127.0.0.1') === '127.0.0.1',
      isTrusted: server.verify(authority.publicKey),
      hasItsKey: server.checkPrivateKey(createPrivateKey(privateKey)),
    };
  });
  const right = {
    isOver: false,
    isForLocalhost: true,
    isForLoopback: true,
    isTrusted: true,
    hasItsKey: true,
  };
  expect(findings).toEqual([
    { ...right, fault: 'expired', isOver: true },
    { ...right, fault: 'wrong-host', isForLocalhost: false, isForLoopback: false },
    { ...right, fault: 'untrusted', isTrusted: false },
  ]);
});
