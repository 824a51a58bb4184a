import { type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';

import { CONTROL_PATH } from '../../../sandbox/addresses';
import { createSandbox } from '../../../sandbox/sandbox';
import { type RunningServer, startServer } from '../../../sandbox/server';

/** So many requests are kept. */
const KEPT_REQUESTS = 100;

/** A request to the platform's content interface, as it came over the wire. */
export interface ReceivedRequest {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** What it was answered; 0 for a broken connection. */
  status: number;
}

/** The sandbox over TLS in this process, with its control at hand. */
export class ServedSandbox {
  readonly #app: ReturnType<typeof createSandbox>;
  readonly #server: RunningServer;
  /** What came over the wire to the content interface, the last of it, oldest first. */
  readonly received: ReceivedRequest[];
  /** Failures of the sandbox itself, which no test expects. */
  readonly failures: Error[];

  private constructor(
    app: ReturnType<typeof createSandbox>,
    server: RunningServer,
    received: ReceivedRequest[],
    failures: Error[],
  ) {
    this.#app = app;
    this.#server = server;
    this.received = received;
    this.failures = failures;
  }

  static async start(seed: object): Promise<ServedSandbox> {
    const failures: Error[] = [];
    const app = createSandbox(seed, { onUnexpectedError: (error) => failures.push(error) });
    const received: ReceivedRequest[] = [];
    return new ServedSandbox(app, await startServer(recorded(app, received), 0), received, failures);
  }

  /** `https://127.0.0.1:PORT` */
  get origin(): string {
    return this.#server.origin;
  }

  get caCertificate(): string {
    return this.#server.caCertificate;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Asks the platform without the wire, as a client of its own does. */
  async ask(path: string, init?: RequestInit): Promise<Response> {
    return this.#app.request(path, init);
  }

  /** Asks the control: `control('POST', 'faults', {…})`. @param input a text is taken for JSON */
  async control<T>(method: string, path: string, input?: unknown): Promise<T> {
    const answer = await this.ask(`${CONTROL_PATH}/${path}`, {
      method,
      ...(input !== undefined && { body: typeof input === 'string' ? input : JSON.stringify(input) }),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`control answered ${answer.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

/** The same application, of which each request to contents is kept with what became of it. */
function recorded(app: Hono, received: ReceivedRequest[]): Hono {
  return new Hono<{ Bindings: HttpBindings }>().all('*', async (c) => {
    const { method, path } = c.req;
    if (!path.includes('/contents')) return app.fetch(c.req.raw, c.env);
    const request = { method, path, headers: c.req.header(), body: await c.req.raw.clone().text() };
    const answer = await app.fetch(c.req.raw, c.env);
    received.push({ ...request, status: answer.status });
    if (received.length > KEPT_REQUESTS) received.shift();
    return answer;
  }) as unknown as Hono;
}
