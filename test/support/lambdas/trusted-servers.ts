import { type ServerOptions } from 'node:https';

import { CertificateAuthority } from './certificates';
import { LoopbackServer } from './loopback-server';
import { trustAuthority } from './trusted-authority';

/** HTTPS servers for the tests of a file, whose authority this process trusts. They stop after each test, and mocks are restored. */
export function trustedServers() {
  let authority: CertificateAuthority;
  beforeAll(async () => (authority = await CertificateAuthority.create()));
  beforeEach(() => trustAuthority(authority.certificatePem));
  afterEach(async () => {
    await LoopbackServer.stopAll();
    jest.restoreAllMocks();
  });
  return {
    issue: (options?: Parameters<CertificateAuthority['issue']>[0]) => authority.issue(options),
    start: async (options?: ServerOptions) => LoopbackServer.start(options ?? (await authority.issue())),
  };
}
