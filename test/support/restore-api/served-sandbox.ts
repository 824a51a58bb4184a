import { CONTROL_PATH } from '../../../sandbox/addresses';
import { createSandbox } from '../../../sandbox/sandbox';
import { type RunningServer, startServer } from '../../../sandbox/server';

/** The sandbox over TLS in this process, with its control at hand. */
export class ServedSandbox {
  readonly #app: ReturnType<typeof createSandbox>;
  readonly #server: RunningServer;
  /** Failures of the sandbox itself, which no test expects. */
  readonly failures: Error[];

  private constructor(app: ReturnType<typeof createSandbox>, server: RunningServer, failures: Error[]) {
    this.#app = app;
    this.#server = server;
    this.failures = failures;
  }

  static async start(seed: object): Promise<ServedSandbox> {
    const failures: Error[] = [];
    const app = createSandbox(seed, { onUnexpectedError: (error) => failures.push(error) });
    return new ServedSandbox(app, await startServer(app, 0), failures);
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

  /** Asks the control: `control('POST', 'faults', {…})`. */
  async control<T>(method: string, path: string, input?: unknown): Promise<T> {
    const answer = await this.#app.request(`${CONTROL_PATH}/${path}`, {
      method,
      ...(input !== undefined && { body: JSON.stringify(input) }),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`control answered ${answer.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}
