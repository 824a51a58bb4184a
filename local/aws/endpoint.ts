import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Account } from '../account';
import { type SignedRequest } from '../iam/canonical-request';
import { type Credentials } from '../iam/access-keys';
import { claimedService, verifySignature } from '../iam/sigv4';
import { type Clock, type FunctionInvoker, type Reporter, type SecretRotator } from '../interfaces';
import { AwsError } from './aws-error';
import { dispatch, protocolOf } from './dispatch';
import { Faults } from './endpoint-faults';
import { type RestResponse } from './lambda-service';
import { type Call } from './operation';
import { LOCAL_SERVICE, type LocalHandlers, runLocalControl } from './local-control';
import { renderError } from './protocols';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const KEEP_ALIVE_MS = 65_000;

/** What the endpoint serves, and where. */
interface AwsEndpointOptions {
  readonly account: Account;
  readonly credentials: Credentials;
  readonly invoker: FunctionInvoker;
  readonly rotator: SecretRotator;
  readonly cloudWatch: Call['cloudWatch'];
  readonly scheduleUpdates: Call['scheduleUpdates'];
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** 0 for one that the kernel chooses. */
  readonly port: number;
  /** What answers `POST /_local/NAME` for the administrator, beside `faults`. */
  readonly localHandlers?: LocalHandlers;
}

/** A running endpoint. */
export interface AwsEndpoint {
  /** `http://127.0.0.1:PORT`, for `AWS_ENDPOINT_URL`. */
  readonly url: string;
  /** Ends it with every connection. */
  close(): Promise<void>;
}

/**
 * Serves the account to AWS SDKs over plain HTTP on 127.0.0.1: one address for all services; which one is meant, the signature says.
 * @throws an Error with `code: 'EADDRINUSE'` when the port is taken.
 */
export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const faults = new Faults();
  const server = createServer((request, response) => void serve(options, faults, request, response));
  // Longer than SDKs keep an idle connection, so that the endpoint never ends one that a client is about to use.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(server, options.port);
  return {
    url: originOf(server.address()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  options: AwsEndpointOptions,
  faults: Faults,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomUUID();
  let service: string | undefined;
  let answer: RestResponse;
  try {
    const request = await readRequest(incoming);
    service = claimedService(request);
    answer = await answerSigned(options, faults, service, request, incoming, requestId);
  } catch (error) {
    if (incoming.readableAborted) return;
    const refusal = toAwsError(error, options.reporter);
    if (refusal.isAboutAccess || refusal.code === 'UnknownOperationException')
      options.reporter.warning(refusal.message);
    answer = renderError(protocolOf(service), refusal, requestId);
  }
  if (response.destroyed) return;
  response.sendDate = false;
  response.writeHead(answer.statusCode, {
    'x-amzn-RequestId': requestId,
    // SDKs correct their own clock by this header, so that they can sign after the run's clock was set forward.
    Date: new Date(options.clock.nowMs()).toUTCString(),
    ...answer.headers,
    'Content-Length': answer.body.length,
  });
  response.end(answer.body);
}

async function answerSigned(
  options: AwsEndpointOptions,
  faults: Faults,
  service: string,
  request: SignedRequest,
  incoming: IncomingMessage,
  requestId: string,
): Promise<RestResponse> {
  const { account, clock, credentials, invoker, rotator, cloudWatch, scheduleUpdates } = options;
  const isControl = request.url.startsWith('/_local/');
  const principal = verifySignature(request, {
    // A service that isn't known keeps its own name here: the operation is what gets refused, with the closed list.
    service: isControl ? LOCAL_SERVICE : service,
    region: account.region,
    nowMs: clock.nowMs(),
    credentials,
  });
  if (isControl) return runLocalControl(request, principal, faults, options.localHandlers ?? {});
  const origin = originOf(incoming.socket.address() as AddressInfo);
  return dispatch(
    service,
    request,
    { account, principal, credentials, invoker, rotator, cloudWatch, scheduleUpdates, clock, origin },
    faults,
    requestId,
  );
}

async function readRequest(incoming: IncomingMessage): Promise<SignedRequest> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    // Read to its end all the same, without keeping it: a client that still sends would not see the answer.
    if (sizeBytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (sizeBytes > MAX_BODY_BYTES) {
    throw new AwsError('RequestEntityTooLargeException', `a request may have ${MAX_BODY_BYTES} bytes`, {
      statusCode: 413,
    });
  }
  const { method = 'GET', url = '/', headersDistinct } = incoming;
  return { method, url, headers: headersDistinct, body: Buffer.concat(chunks) };
}

/** Anything but a refusal is a fault of this program; its message might hold a value, so only its kind is told. */
function toAwsError(error: unknown, reporter: Reporter): AwsError {
  if (error instanceof AwsError) return error;
  const kind = error instanceof Error ? error.name : typeof error;
  reporter.warning(`the local AWS endpoint failed inside with ${kind}`);
  return new AwsError('InternalFailure', 'The local endpoint failed inside.', {
    statusCode: 500,
    cause: error,
  });
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function originOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new TypeError('the endpoint listens on no port');
  return `http://127.0.0.1:${address.port}`;
}
