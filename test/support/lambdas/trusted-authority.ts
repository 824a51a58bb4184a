import tls from 'node:tls';

const { createSecureContext } = tls;

/**
 * Makes this process's TLS clients trust only this authority until the test's mocks are restored. The rest of TLS is
 * unchanged. Each context with the public authorities besides would cost 50 ms, and nothing leaves loopback.
 */
export function trustAuthority(certificatePem: string): void {
  jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options) => createSecureContext({ ca: certificatePem, ...options }));
}
