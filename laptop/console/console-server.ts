import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { HostError, type Reporter } from 'cdk-on-loopback';
import { type ConsoleState } from './console-state';
import { originRefusal } from './origin-rules';

const MAX_CONNECTIONS = 100;

// The build copies it to the same place beside the built host.
const PAGE_FOLDER = join(__dirname, 'page');
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
  readState: () => Promise<ConsoleState>;
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
 * Serves the page on 127.0.0.1: its files, and the state as JSON at `GET /state`.
 * @throws an Error with `code: 'EADDRINUSE'` when the port is taken
 */
export async function startConsoleServer(options: ConsoleServerOptions): Promise<ConsoleServer> {
  const files = readPageFiles();
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => refuse(response, error));
  });
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, options.port);
  let reading: Promise<string> | undefined;
  let lastFailure: string | undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const refusal = originRefusal(request.headers, port);
    if (refusal !== undefined) throw new RefusedRequestError(403, refusal);
    if (request.method !== 'GET') {
      response.setHeader('Allow', 'GET');
      throw new RefusedRequestError(405, `method: found ${request.method}; allowed: GET`);
    }
    const path = (request.url ?? '').replace(/\?.*$/s, '');
    if (path === '/state') {
      const state = await readState();
      response.setHeader('Content-Type', 'application/json');
      return void response.end(state);
    }
    const file = files.get(path);
    if (!file) throw new RefusedRequestError(404, 'not found');
    response.setHeader('Content-Type', file.contentType);
    response.end(file.content);
  }

  /** Pages that ask at the same time share one read: with many tenants, it takes long. */
  function readState(): Promise<string> {
    reading ??= options
      .readState()
      .then((state) => {
        lastFailure = undefined;
        return JSON.stringify(state);
      })
      .finally(() => (reading = undefined));
    return reading;
  }

  function refuse(response: ServerResponse, error: unknown): void {
    // The rest of the request is not read, so the connection cannot be reused.
    response.setHeader('Connection', 'close');
    if (error instanceof RefusedRequestError) return answerFailure(response, error.status, error.message);
    // Any other error is a bug, and its message might hold a secret.
    const reason = error instanceof HostError ? error.message : (error as Error).name;
    // A page asks every second.
    if (reason !== lastFailure)
      options.reporter.warning(`the console cannot read the state of the system: ${reason}`);
    lastFailure = reason;
    answerFailure(response, 500, 'Internal error in the local system. See the terminal that runs npm start');
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

function answerFailure(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ message }));
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
