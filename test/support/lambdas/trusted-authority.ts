import tls from 'node:tls';

const { createSecureContext } = tls;

/**
 * Makes all TLS clients of this process trust one more authority, until the test's mocks are restored: what
 * NODE_EXTRA_CA_CERTS does for a process that is yet to start. Everything else of TLS stays as it is.
 */
export function trustAuthority(certificatePem: string): void {
  jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options) =>
      createSecureContext({ ca: [...tls.rootCertificates, certificatePem], ...options }),
    );
}
