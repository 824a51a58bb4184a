import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { type RuntimeAnswer, RuntimeApi } from '../../src/functions/runtime-api';
import { announcedConnection } from '../../../../test/support/idle-connections';
import { RUNTIME_EXCHANGES } from './cases/runtime-exchanges';

const NEXT = '/2018-06-01/runtime/invocation/next';
const EVENT = {
  requestId: 'a-request',
  payload: Buffer.from('{"headers":{"Authorization":"canary"}}'),
  functionArn: 'arn',
  deadlineMs: 0,
  offsetMs: 0,
};

let api: RuntimeApi;
let answers: RuntimeAnswer[];
afterEach(() => api.close());

/** @returns the address, as processes get it */
async function listen(path?: string): Promise<string> {
  api = new RuntimeApi(path);
  answers = [];
  api.onAnswer = (answer) => answers.push(answer);
  return api.listen();
}

/** Asks for the next event. @param host the Host header; by default that of the address */
async function ask(address: string, host = address.replace(/\/.*/, '')) {
  const asked = get(`http://${address}${NEXT}`, { headers: { host }, agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: (await buffer(response)).toString() };
}

/** Sends a result. @param host the Host header; by default that of the URL */
async function send(url: string, body: string, host = new URL(url).host) {
  const sent = request(url, { method: 'POST', headers: { host }, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: (await buffer(response)).toString() };
}

test('the connection that delivered an event stays open until the process sends its result, however late', async () => {
  const address = await listen();
  api.deliver(EVENT);

  const connection = await announcedConnection(`http://${address}${NEXT}`);

  expect(connection).toBe('keep-alive');
});

test.each(RUNTIME_EXCHANGES)(
  'a process that sends $what',
  async ({ send: sent, status, answer, results }) => {
    const address = await listen();
    api.deliver(EVENT);
    await ask(address);

    let last = { text: '' };
    for (const { path, body } of sent) last = await send(`http://${address}/2018-06-01/runtime${path}`, body);

    expect(last).toMatchObject({ status });
    expect(last.text === '' ? undefined : JSON.parse(last.text)).toEqual(
      answer && (expect.objectContaining(answer) as unknown),
    );
    expect(answers.map(({ kind }) => kind)).toEqual(['ready', ...results]);
  },
);

// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html#runtimes-api-next
test('an event has the headers of the Runtime API', async () => {
  const address = await listen();
  const traceHeader = 'Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1';
  api.deliver({ ...EVENT, traceHeader });

  const asked = get(`http://${address}${NEXT}`, { agent: false });
  const [{ headers }] = (await once(asked, 'response')) as [IncomingMessage];

  expect(headers).toMatchObject({
    'lambda-runtime-aws-request-id': 'a-request',
    'lambda-runtime-invoked-function-arn': 'arn',
    'lambda-runtime-deadline-ms': '0',
    'lambda-runtime-trace-id': traceHeader,
  });
});

describe('an event', () => {
  const PATH = '/6f1d';
  const withoutPath = (address: string) => address.replace(PATH, '');

  test.each<[string, (address: string) => ReturnType<typeof ask>, number]>([
    ['the path of the process', (address) => ask(withoutPath(address)), 404],
    ['the whole path', (address) => ask(`${withoutPath(address)}/6f1`), 404],
    ['a name of this machine (DNS rebinding)', (address) => ask(address, 'attacker.example'), 403],
    ['the port', (address) => ask(address, '127.0.0.1'), 403],
  ])('goes to nobody without %s', async (_, askWithout, status) => {
    const address = await listen(PATH);
    api.deliver(EVENT);

    expect(await askWithout(address)).toEqual({ status, text: '' });

    expect(answers).toEqual([]);
    expect(await ask(address)).toEqual({ status: 200, text: EVENT.payload.toString() });
  });

  test('goes to the process, by either name of this machine', async () => {
    const address = await listen(PATH);
    const { port } = new URL(`http://${address}`);
    api.deliver(EVENT);

    expect(await ask(address, `localhost:${port}`)).toMatchObject({ status: 200 });
  });

  test('goes to a client that sends no path, such as AWS’s, if the process has none', async () => {
    const address = await listen();
    api.deliver(EVENT);

    expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(await ask(address)).toMatchObject({ status: 200 });
  });
});

test.each([
  ['another host', (url: string) => url, 'attacker.example', 403],
  ['another path', (url: string) => url.replace('/6f1d', ''), undefined, 404],
])('no result is accepted from %s', async (_, change, host, status) => {
  const address = await listen('/6f1d');
  api.deliver(EVENT);
  await ask(address);
  const url = change(`http://${address}/2018-06-01/runtime/invocation/a-request/response`);

  expect(await send(url, '{"statusCode":200}', host)).toMatchObject({ status });
  expect(answers).toEqual([{ kind: 'ready' }]);
});
