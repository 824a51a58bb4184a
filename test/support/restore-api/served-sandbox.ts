import { type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';

import {
  CONTROL_PATH,
  createState,
  type RunningServer,
  sandboxApp,
  startServer,
} from 'learning-platform-sandbox/testing';

export interface ReceivedRequest {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The answered status; 0 is a broken connection. */
  status: number;
}

/** The sandbox over TLS in this process, with access to its control. */
export class ServedSandbox {
  /** Requests to the content interface, oldest first. */
  readonly received: ReceivedRequest[] = [];
  /** Internal errors of the sandbox, which no test expects. */
  readonly failures: Error[] = [];
  readonly #app: ReturnType<typeof sandboxApp>;
  #server!: RunningServer;

  private constructor(seed: object) {
    this.#app = sandboxApp(createState(seed), (error) => this.failures.push(error));
  }

  static async start(seed: object): Promise<ServedSandbox> {
    const sandbox = new ServedSandbox(seed);
    sandbox.#server = await startServer(sandbox.#served(), 0);
    return sandbox;
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

  /** Sends a request to the platform without the wire, as a client of its own would. */
  async ask(path: string, init?: RequestInit): Promise<Response> {
    return this.#app.request(path, init);
  }

  /**
   * Calls the control: `control('POST', 'faults', {…})`.
   * @param input a string is sent as JSON text
   */
  async control<T>(method: string, path: string, input?: unknown): Promise<T> {
    const answer = await this.ask(`${CONTROL_PATH}/${path}`, {
      method,
      ...(input !== undefined && { body: typeof input === 'string' ? input : JSON.stringify(input) }),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`control answered ${answer.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** The sandbox, which records content requests and their answers, except probes: only some 404s cause them. */
  #served(): Hono {
    return new Hono<{ Bindings: HttpBindings }>().all('*', async (c) => {
      if (!c.req.path.includes('/contents')) return this.#app.fetch(c.req.raw, c.env);
      const request = c.req.raw;
      if (isProbe(request.headers, await request.clone().text())) return this.#app.fetch(request, c.env);
      return this.#record(request, c.env);
    }) as unknown as Hono;
  }

  async #record(request: Request, env: HttpBindings): Promise<Response> {
    const { method, headers } = request;
    const body = await request.clone().text();
    const answer = await this.#app.fetch(request, env);
    const { pathname, search } = new URL(request.url);
    const path = `${pathname}${search}`;
    this.received.push({ method, path, headers: Object.fromEntries(headers), body, status: answer.status });
    return answer;
  }
}

/** What the restore function asks about its operation after a 404: a request without an acting user, which no restore is. */
function isProbe(headers: Headers, body: string): boolean {
  return body === '{}' && !headers.has('x-author-ref') && !headers.has('x-collaboration-id');
}
