import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEED } from './platform-under-test';
import { buildSandbox } from './support/built-sandbox';
import { sendOverTls } from './support/https-client';

// Each test starts processes.
jest.setTimeout(30_000);

interface Listening {
  readonly origin: string;
  readonly caCertificate: string;
}
const children: ChildProcess[] = [];
let folder: string;
let program: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-main-'));
  program = buildSandbox(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function startForked(message: object) {
  const child = fork(program, { silent: true });
  children.push(child);
  child.send({ type: 'start', port: 0, seed: SEED, ...message });
  const [answer] = (await once(child, 'message')) as [unknown];
  return { child, answer };
}

async function startListening() {
  const { child, answer } = await startForked({});
  return { child, ...(answer as Listening) };
}

function send({ origin, caCertificate: ca }: Listening, method: string, path: string, body?: object) {
  return sendOverTls(method, `${origin}${path}`, { ca, body });
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('started over an IPC channel', () => {
  test('serves HTTPS on 127.0.0.1 with a certificate of the CA that it reports', async () => {
    const server = await startListening();

    const status = await send(server, 'GET', '/_sandbox/tenants');

    expect(server.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(status).toBe(200);
  });

  test('exits at once when the channel closes, even with a delayed request', async () => {
    const { child, ...server } = await startListening();
    await send(server, 'POST', '/_sandbox/faults', { target: 'content', delayMs: 600_000 });
    const delayed = send(server, 'GET', '/staging/mea/rest/v1/contents');

    child.disconnect();

    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await delayed).toMatch(/^ECONN/);
  });

  test('reports the faults of a seed', async () => {
    const { answer } = await startForked({ seed: { deployments: [] } });

    expect(answer).toMatchObject({
      type: 'failed',
      message: expect.stringMatching(/^deployments: found \[\]; /) as string,
    });
  });
});
