import { connect } from 'node:tls';

import { notRun, type Probe, verdictOf } from '../probe';

const PATIENCE_MS = 10_000;

export const govcloudTls: Probe = {
  id: 'govcloud-tls',
  group: 'gateway',
  subject: 'A REST API in AWS GovCloud (US) without a TLS policy',
  reliedOn: 'TLS 1.2 at least, because it is FIPS-compliant by default',
  otherwise: 'older TLS versions are accepted',
  sources: ['https://docs.aws.amazon.com/govcloud-us/latest/UserGuide/govcloud-abp.html'],
  needs: 'latchkey',
  async look({ latchkey, place }) {
    if (place.partition !== 'aws-us-gov') return notRun(`the partition is ${place.partition}`);
    const isAccepted = await acceptsTls11(new URL(latchkey.restoreApiUrl).hostname);
    return verdictOf(!isAccepted, `TLS 1.1 is ${isAccepted ? 'accepted' : 'refused'}`);
  },
};

function acceptsTls11(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(
      { host, port: 443, servername: host, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', timeout: PATIENCE_MS },
      () => {
        resolve(true);
        socket.destroy();
      },
    );
    socket.on('timeout', () => socket.destroy(new Error('no handshake')));
    socket.on('error', () => resolve(false));
  });
}
