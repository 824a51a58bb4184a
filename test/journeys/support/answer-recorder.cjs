/**
 * Preloaded into a laptop system's programs. Appends every answer of a restore API to the file that the
 * environment names.
 */
const { appendFileSync } = require('node:fs');
const { IncomingMessage, ServerResponse } = require('node:http');

const FILE = process.env.LATCHKEY_RECORDED_ANSWERS;
const RESTORE = /\/tenants\/[^/]*\/contents\/[^/]*\/restore$/;

/** Request bodies, and the status and headers of answers. */
const bodies = new WeakMap();
const heads = new WeakMap();

const { push } = IncomingMessage.prototype;
IncomingMessage.prototype.push = function pushRecorded(chunk, ...rest) {
  if (chunk !== null && RESTORE.test(this.url)) bodies.set(this, [...(bodies.get(this) ?? []), chunk]);
  return push.call(this, chunk, ...rest);
};

const { end, writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function writeHeadRecorded(status, headers, ...rest) {
  if (RESTORE.test(this.req.url)) heads.set(this, { status, headers });
  return writeHead.call(this, status, headers, ...rest);
};
ServerResponse.prototype.end = function endRecorded(body, ...rest) {
  const head = heads.get(this);
  if (head !== undefined) {
    const { method, url: path } = this.req;
    const texts = {
      requestBody: Buffer.concat(bodies.get(this.req) ?? []).toString(),
      body: String(body ?? ''),
    };
    appendFileSync(FILE, `${JSON.stringify({ method, path, ...head, ...texts })}\n`);
  }
  return end.call(this, body, ...rest);
};
