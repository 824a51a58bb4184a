import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Reporter } from '../interfaces';
import { ActionInputError } from './action-input';
import { type ActionOutcome } from './console-state';
import { type LiveState } from './live-state';
import { originRefusal } from './origin-rules';

const MAX_BODY_BYTES = 4096;
/** The most pages that can watch at once, and the most connections of any kind. */
const MAX_WATCHERS = 20;
const MAX_CONNECTIONS = 100;
/** A page that falls this far behind is disconnected. It reconnects by itself. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const RECONNECT_AFTER_MS = 1000;
const ACTIONS_PATH = '/actions/';

// This path works from this file and from the built host: both are two folders below the project root.
const PAGE_FOLDER = join(__dirname, '../../local/console/page');
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Allows only content from this server, and forbids other sites to embed the page. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

interface ConsoleServerOptions {
  live: LiveState;
  runAction: (name: string, body: string) => Promise<ActionOutcome>;
  reporter: Reporter;
  /** 0 picks a free port. */
  port: number;
}

export interface ConsoleServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** Stops the server and closes every connection. */
  close(): Promise<void>;
}

interface PageFile {
  contentType: string;
  content: Buffer;
}

/** A request that is answered with a status and a reason only. */
class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError';
  readonly code = 'refused_request';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Serves the page on 127.0.0.1: its files, `GET /events` (the state as server-sent events) and `POST /actions/NAME`.
 * @throws an Error with `code: 'EADDRINUSE'` when the port is taken
 * @see HTML standard, "Server-sent events"
 */
export async function startConsoleServer(options: ConsoleServerOptions): Promise<ConsoleServer> {
  const files = readPageFiles();
  // Never closes an idle connection: the page might be about to send an action on it.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    serve(request, response).catch((error: unknown) => refuse(response, error, options.reporter));
  });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const refusal = originRefusal(request.headers, port);
    if (refusal !== undefined) throw new RefusedRequestError(403, refusal);
    const path = (request.url ?? '').replace(/\?.*$/s, '');
    if (path.startsWith(ACTIONS_PATH)) {
      requireMethod(request, response, 'POST');
      const outcome = await options.runAction(path.slice(ACTIONS_PATH.length), await readBody(request));
      return answerJson(response, 200, outcome);
    }
    requireMethod(request, response, 'GET');
    if (path === '/events') return stream(options.live, response);
    const file = files.get(path);
    if (!file) throw new RefusedRequestError(404, 'not found');
    response.setHeader('Content-Type', file.contentType);
    response.end(file.content);
  }

  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The page's files by URL path. Serving only these rules out path traversal. */
function readPageFiles(): ReadonlyMap<string, PageFile> {
  return new Map(
    readdirSync(PAGE_FOLDER).flatMap((name): [string, PageFile][] => {
      const contentType = CONTENT_TYPES[extname(name)];
      if (contentType === undefined) return [];
      const path = name === 'index.html' ? '/' : `/${name}`;
      return [[path, { contentType, content: readFileSync(join(PAGE_FOLDER, name)) }]];
    }),
  );
}

function stream(live: LiveState, response: ServerResponse): void {
  if (live.watcherCount >= MAX_WATCHERS) {
    throw new RefusedRequestError(503, `${MAX_WATCHERS} pages are already open; close one`);
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.write(`retry: ${RECONNECT_AFTER_MS}\n\n`);
  const end = live.watch((update) => {
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
    else response.write(`data: ${JSON.stringify(update)}\n\n`);
  });
  response.on('close', end);
}

function requireMethod(request: IncomingMessage, response: ServerResponse, method: string): void {
  if (request.method === method) return;
  response.setHeader('Allow', method);
  throw new RefusedRequestError(405, `method: found ${request.method}; allowed: ${method}`);
}

/** Accepts only JSON, because other sites can send other types without a CORS preflight. */
async function readBody(request: IncomingMessage): Promise<string> {
  if (!/^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(request.headers['content-type'] ?? '')) {
    throw new RefusedRequestError(415, 'Content-Type: allowed: application/json');
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES) {
      throw new RefusedRequestError(413, `the body exceeds ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(response: ServerResponse, error: unknown, reporter: Reporter): void {
  if (response.destroyed || response.headersSent) return void response.destroy();
  // The rest of the request is not read, so the connection cannot be reused.
  response.setHeader('Connection', 'close');
  if (error instanceof RefusedRequestError) return answerJson(response, error.status, failure(error));
  if (error instanceof ActionInputError) {
    return answerJson(response, error.code === 'unknown_action' ? 404 : 400, failure(error));
  }
  reporter.warning(`the console failed to handle a request: ${(error as Error).name}`);
  const message = 'Internal error in the local system. See the terminal that runs npm start';
  answerJson(response, 200, { ok: false, message });
}

function failure({ message }: Error): ActionOutcome {
  return { ok: false, message };
}

function answerJson(response: ServerResponse, status: number, body: ActionOutcome): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
