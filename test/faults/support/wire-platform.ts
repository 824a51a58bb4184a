import { type ServerResponse } from 'node:http';
import { type ServerOptions } from 'node:https';

import { type ReceivedRequest, LoopbackServer } from '../../support/lambdas/loopback-server';
import { type Platform, type Reply } from './platform-double';

/** Within this time the event loop notices a closed connection. */
const CLOSE_WAIT_MS = 500;

/** The platform double behind a TLS server on loopback. */
export class WirePlatform {
  readonly server: LoopbackServer;
  readonly #open = new Set<ServerResponse>();

  private constructor(server: LoopbackServer) {
    this.server = server;
  }

  static async start(options: ServerOptions, platform: Platform): Promise<WirePlatform> {
    const started = new WirePlatform(await LoopbackServer.start(options));
    started.server.behavior = (response, request) => started.#answer(platform, response, request);
    return started;
  }

  /** Requests that were neither answered completely nor given up by the client, after a short wait. */
  async openAnswers(): Promise<number> {
    const endMs = performance.now() + CLOSE_WAIT_MS;
    while (this.#open.size > 0 && performance.now() < endMs) await new Promise(setImmediate);
    return this.#open.size;
  }

  #answer(platform: Platform, response: ServerResponse, { path, headers, body }: ReceivedRequest): void {
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    send(response, platform.reply(path, body, headers));
  }
}

function send(response: ServerResponse, reply: Reply): void {
  switch (reply.kind) {
    case 'answer':
      response.writeHead(reply.status, reply.headers).end(reply.body);
      return;
    case 'unreachable':
      throw new Error('over the wire the platform is not unreachable for single requests');
    case 'silence':
      if (reply.after === 'half the answer') writeHalf(response);
      return;
    case 'reset':
      if (reply.after === 'half the answer') writeHalf(response, () => response.destroy());
      else response.destroy();
  }
}

function writeHalf(response: ServerResponse, then?: () => void): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"access_token":"', then);
}
