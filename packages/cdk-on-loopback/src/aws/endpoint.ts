import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type CredentialScope, type SignedRequest } from '../iam/canonical-request';
import { claimedScope, signingTime, verifySignature } from '../iam/sigv4';
import { type Reporter } from '../interfaces';
import { hasLoopbackName } from '../loopback-hosts';
import { listenOnLoopback, readBody } from '../loopback-server';
import { AwsError } from './aws-error';
import { dispatch, protocolOf } from './dispatch';
import { Faults } from './endpoint-faults';
import { type Call, type RestResponse } from './operation';
import { asksForTime, LOCAL_SERVICE, type LocalHandlers, runLocalControl } from './local-control';
import { renderError, renderJson } from './protocols';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** A signature this close to a clock's time was made with that clock. Every service tolerates a larger difference. */
const ON_TIME_MS = 60_000;

interface AwsEndpointOptions extends Omit<Call, 'principal' | 'origin'> {
  /** 0 picks a free port. */
  readonly port: number;
  /** Handlers of `POST /_local/NAME`, besides `faults`. Only the administrator may call them. */
  readonly localHandlers?: LocalHandlers;
  /** Handlers of `POST /_local/NAME` that authorize their callers themselves. */
  readonly selfAuthorizingHandlers?: LocalHandlers;
}

export interface AwsEndpoint {
  /** `http://127.0.0.1:PORT`, for `AWS_ENDPOINT_URL`. */
  readonly url: string;
  /** Stops the endpoint and closes every connection. */
  close(): Promise<void>;
}

/**
 * Serves the account to AWS SDKs over plain HTTP on 127.0.0.1. All services share one address; the signature names the service.
 * @throws an Error with `code: 'EADDRINUSE'` if the port is taken
 */
export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const faults = new Faults();
  const server = createServer(
    // Never closes an idle connection: an SDK might be about to send a request on it.
    { keepAliveTimeout: 0 },
    (request, response) => void serve(options, faults, request, response),
  );
  const port = await listenOnLoopback(server, options.port);
  return {
    url: originOf(port),
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
  let signedAtMs: number | undefined;
  try {
    const request = await readRequest(incoming);
    signedAtMs = signingTime(request);
    refuseOtherHosts(incoming);
    if (asksForTime(request)) {
      answer = renderJson({ now: new Date(options.clock.nowMs()).toISOString() });
    } else {
      const scope = claimedScope(request);
      service = scope.service;
      answer = await answerSigned(options, faults, scope, request, incoming, requestId);
    }
  } catch (error) {
    if (incoming.readableAborted) return;
    const refusal = toAwsError(error, options.reporter);
    if (refusal.isAboutAccess || refusal.code === 'UnknownOperationException')
      options.reporter.warning(refusal.message);
    answer = renderError(protocolOf(service), refusal, requestId);
  }
  if (!response.destroyed) respond(response, answer, requestId, options.clock.nowMs(), signedAtMs);
}

function respond(
  response: ServerResponse,
  answer: RestResponse,
  requestId: string,
  nowMs: number,
  signedAtMs: number | undefined,
): void {
  const isOnTime = signedAtMs !== undefined && Math.abs(signedAtMs - nowMs) < ON_TIME_MS;
  response.sendDate = false;
  response.writeHead(answer.statusCode, {
    'x-amzn-RequestId': requestId,
    // SDKs adjust their clock to this header, so they can still sign requests after the run's clock was advanced.
    Date: new Date(nowMs).toUTCString(),
    // SDKs ignore the date of a response with `Age`. Without it, an SDK whose clock is right would adjust it with each
    // response, and repeat each refused request.
    // See https://docs.aws.amazon.com/sdk-for-cpp/latest/api/aws-cpp-sdk-core/html/_clock_skew_8h_source.html
    ...(isOnTime && { Age: '0' }),
    ...answer.headers,
    'Content-Length': answer.body.length,
  });
  response.end(answer.body);
}

/** @throws {AwsError} AccessDeniedException */
function refuseOtherHosts({ headers }: IncomingMessage): void {
  if (hasLoopbackName(headers.host)) return;
  const message = 'the local AWS endpoint accepts requests for 127.0.0.1 and localhost only';
  throw new AwsError('AccessDeniedException', message, { statusCode: 403 });
}

async function answerSigned(
  options: AwsEndpointOptions,
  faults: Faults,
  { service, region }: CredentialScope,
  request: SignedRequest,
  incoming: IncomingMessage,
  requestId: string,
): Promise<RestResponse> {
  const { account: home, clock, credentials } = options;
  const isControl = request.url.startsWith('/_local/');
  const account = home.hasRegion(region) && !isControl ? home.inRegion(region) : home;
  const principal = verifySignature(request, {
    // Verifies an unsupported service's signature, too: dispatch then rejects it with the supported services.
    service: isControl ? LOCAL_SERVICE : service,
    region: account.region,
    // boto3, the AWS CLI and others sign with this machine's time even if the run's clock is ahead.
    nowMs: isSignedByMachineTime(request) ? Date.now() : clock.nowMs(),
    credentials,
  });
  if (isControl) {
    const { localHandlers: handlers = {}, selfAuthorizingHandlers = {} } = options;
    return runLocalControl(request, principal, { faults, handlers, selfAuthorizingHandlers });
  }
  const origin = originOf(incoming.socket.localPort);
  return dispatch(service, request, { ...options, account, principal, origin }, faults, requestId);
}

/** Whether a request is signed with the machine's time, as curl does however far the run's clock is ahead. */
function isSignedByMachineTime(request: SignedRequest): boolean {
  const signedAtMs = signingTime(request);
  return signedAtMs !== undefined && Math.abs(signedAtMs - Date.now()) < ON_TIME_MS;
}

async function readRequest(incoming: IncomingMessage): Promise<SignedRequest> {
  const body = await readBody(incoming, MAX_BODY_BYTES);
  if (!body) {
    const message = `a request may have at most ${MAX_BODY_BYTES} bytes`;
    throw new AwsError('RequestEntityTooLargeException', message, { statusCode: 413 });
  }
  const { method = 'GET', url = '/', headersDistinct } = incoming;
  return { method, url, headers: headersDistinct, body };
}

/** An error other than an {@link AwsError} is a bug. Its message might hold a secret, so only its name is reported. */
function toAwsError(error: unknown, reporter: Reporter): AwsError {
  if (error instanceof AwsError) return error;
  const kind = error instanceof Error ? error.name : typeof error;
  reporter.warning(`the local AWS endpoint failed to handle a request: ${kind}`);
  return new AwsError('InternalFailure', 'Internal error in the local endpoint.', {
    statusCode: 500,
    cause: error,
  });
}

function originOf(port: number | undefined): string {
  return `http://127.0.0.1:${port}`;
}
