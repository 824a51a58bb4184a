/** The platform in this process: whoever sends by `https.request` gets its answer without a connection. */
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

/** An answer in one piece, with the events of a stream but no stream: its time would be everybody's. */
class Answer extends EventEmitter {
  statusCode = 200;
  headers = HEADERS;
  /** As much of a connection as is looked at. */
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

/** A request that is on a kept connection already. */
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

/** From now on. */
export function stubHttps() {
  https.request = (...given) => {
    const request = new Request();
    const listener = given.at(-1);
    if (typeof listener === 'function') request.once('response', listener);
    return request;
  };
  syncBuiltinESMExports();
}
