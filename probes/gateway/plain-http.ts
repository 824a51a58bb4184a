import { request } from 'node:http';

import { asReliedOn, notRun, type Probe, verdictOf } from '../probe';

const PATIENCE_MS = 10_000;

export const plainHttp: Probe = {
  id: 'plain-http',
  group: 'gateway',
  subject: 'Plain HTTP on `execute-api`',
  reliedOn: 'refused, or denied with 403 by `aws:SecureTransport`',
  otherwise: 'a caller that forgets the s of https sends its credential readable',
  sources: ['https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html'],
  needs: 'latchkey',
  async look({ latchkey, place }) {
    if (place.endpoint !== undefined) return notRun('only AWS could answer plain HTTP');
    const status = await statusOverHttp(latchkey.restoreApiUrl.replace(/^https:/, 'http:'));
    return status === undefined ? asReliedOn('no answer') : verdictOf(status === 403, `status ${status}`);
  },
};

/** Without a credential. @returns undefined if there was no answer */
function statusOverHttp(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, { timeout: PATIENCE_MS }, (answer) => resolve(answer.resume().statusCode));
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end();
  });
}
