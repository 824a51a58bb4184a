/** Stubs the platform in this process: `https.request` gets its response without a connection. */
import { EventEmitter } from 'node:events';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

import { RECORD } from './restore-request.mjs';

const HEADERS = {
  'content-type': 'application/json',
  'content-length': String(RECORD.length),
  connection: 'keep-alive',
};

const CONNECTION = { bytesRead: 0 };

/** A response in one piece. It emits a stream's events without being one, since a stream would cost every candidate time. */
class Answer extends EventEmitter {
  statusCode = 200;
  headers = HEADERS;
  /** The part of a connection that clients look at. */
  socket = CONNECTION;
  #encoding;

  setEncoding(encoding) {
    this.#encoding = encoding;
  }

  arrive() {
    const chunk = Buffer.from(RECORD);
    this.emit('data', this.#encoding === undefined ? chunk : chunk.toString(this.#encoding));
    this.emit('end');
  }
}

/** A request on a connection that is already open. */
class Request extends EventEmitter {
  reusedSocket = true;

  end() {
    process.nextTick(() => {
      this.emit('socket', this);
      const answer = new Answer();
      this.emit('response', answer);
      answer.arrive();
    });
  }

  destroy() {}
}

/** Replaces `https.request` by the stub, except for AWS. */
export function stubHttps() {
  const { request: send } = https;
  const { port } = new URL(process.env.AWS_ENDPOINT_URL);
  https.request = (...given) => {
    if (String(given[0].port) === port) return send(...given);
    const request = new Request();
    const listener = given.at(-1);
    if (typeof listener === 'function') request.once('response', listener);
    return request;
  };
  syncBuiltinESMExports();
}
