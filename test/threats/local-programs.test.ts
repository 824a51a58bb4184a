import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { RuntimeApi } from 'cdk-on-loopback/testing';
import { expectRed } from '../support/holes/expect-red';

const EVENT = {
  requestId: 'a-request',
  payload: Buffer.from('{"headers":{"Authorization":"canary"}}'),
  functionArn: 'arn',
  deadlineMs: 0,
  offsetMs: 0,
};

/**
 * Asks the Runtime API of a process for its event, as another program that has only found the port.
 * @param path of the process, which only its environment tells
 */
async function expectNoEvent(path: string | undefined, host?: string) {
  const api = new RuntimeApi(path);
  try {
    const { port } = new URL(`http://${await api.listen()}`);
    api.deliver(EVENT);
    const url = `http://127.0.0.1:${port}/2018-06-01/runtime/invocation/next`;
    const asked = get(url, { headers: { host: host ?? `127.0.0.1:${port}` }, agent: false });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];

    expect((await buffer(response)).toString()).not.toContain('canary');
  } finally {
    api.close();
  }
}

describe('T25: the event of a function, with the Authorization of its caller,', () => {
  test('is not given to a program that finds the port', () => expectNoEvent('/a-random-path'));

  test('is not given to a page under a name that was made to lead here', () =>
    expectNoEvent(undefined, 'attacker.example'));

  test('turns red when a process has no path of its own', () => expectRed(() => expectNoEvent(undefined)));
});
