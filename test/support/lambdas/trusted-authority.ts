import tls from 'node:tls';

const { createSecureContext } = tls;

/**
 * Makes this process's TLS clients trust another authority until the test's mocks are restored, as
 * NODE_EXTRA_CA_CERTS does for new processes. The rest of TLS is unchanged.
 */
export function trustAuthority(certificatePem: string): void {
  jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options) =>
      createSecureContext({ ca: [...tls.rootCertificates, certificatePem], ...options }),
    );
}
