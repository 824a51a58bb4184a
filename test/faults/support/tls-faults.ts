import { type ServerOptions } from 'node:https';

import { selfSigned } from '../../support/lambdas/certificates';
import { trustedAuthority } from './wire-world';

/** Options of servers with which the TLS handshake fails. */
export const TLS_FAULTS = {
  expired: async () => (await trustedAuthority()).issue({ lastsDays: -1 }),
  'wrong name': async () => (await trustedAuthority()).issue({ name: 'elsewhere.example' }),
  'self-signed': () => selfSigned(),
  'TLS 1.1': async () => ({
    ...(await (await trustedAuthority()).issue()),
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    // OpenSSL allows such old versions only at security level 0.
    ciphers: 'DEFAULT@SECLEVEL=0',
  }),
} as const satisfies Record<string, () => Promise<ServerOptions>>;
