import { createServer, type IncomingHttpHeaders, request as sendRequest, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A call of an AWS SDK over the wire. */
export interface AwsCall {
  /** The operation's name in the API reference: `PutSecretValue`. */
  operation: string;
  secretId: string | undefined;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What a test can do with a received call. */
export interface HeldCall {
  /** Lets the endpoint execute the call. */
  forward(): Promise<Answer>;
  /** Sends the endpoint's answer to the caller. */
  answer(answer: Answer): void;
}

/**
 * A server in front of the local AWS endpoint. It counts calls, and lets a test hold them before or after
 * they are executed. Requests pass unmodified, so their signatures stay valid.
 */
export class AwsGate {
  readonly calls: AwsCall[] = [];
  /** Handles each call; the default forwards it. */
  intercept: (call: AwsCall, held: HeldCall) => void | Promise<void> = pass;
  readonly #server: Server;

  private constructor(targetUrl: string) {
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      void buffer(request).then(
        (body) => {
          const { method = 'GET', url: path = '/', headers } = request;
          const call = { operation: operationOf(headers, path), secretId: secretIdOf(body) };
          this.calls.push(call);
          return this.intercept(call, {
            forward: () => forward(new URL(path, targetUrl), method, headers, body),
            answer: (answer) => response.writeHead(answer.status, answer.headers).end(answer.body),
          });
        },
        () => undefined,
      );
    });
  }

  /** @param targetUrl address of the endpoint */
  static async start(targetUrl: string): Promise<AwsGate> {
    const gate = new AwsGate(targetUrl);
    await new Promise<void>((resolve) => gate.#server.listen(0, '127.0.0.1', resolve));
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Clears the recorded calls, and forwards the next ones. */
  reset(): void {
    this.calls.length = 0;
    this.intercept = pass;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Forwards a call, and sends the answer to the caller. */
export async function pass(_: AwsCall, { forward, answer }: HeldCall): Promise<void> {
  answer(await forward());
}

function forward(url: URL, method: string, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest(url, { method, headers }, (incoming) => {
      buffer(incoming).then(
        (answer) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: answer }),
        reject,
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function operationOf(headers: IncomingHttpHeaders, path: string): string {
  const target = headers['x-amz-target'];
  return typeof target === 'string' ? target.split('.').at(-1)! : `${path}`;
}

function secretIdOf(body: Buffer): string | undefined {
  const value: unknown = body.length === 0 ? {} : JSON.parse(body.toString());
  const { SecretId } = value as { SecretId?: unknown };
  return typeof SecretId === 'string' ? SecretId : undefined;
}
