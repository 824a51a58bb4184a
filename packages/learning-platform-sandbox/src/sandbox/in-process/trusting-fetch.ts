import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { WITHOUT_BODY } from '../interception';

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * A `fetch` over HTTPS that trusts one CA only. The global `fetch` takes a CA for the whole process only.
 *
 * Each request has a connection of its own, so that a certificate fault applies to the next one.
 * @param ca PEM
 */
export function fetchTrusting(ca: string): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, redirect, signal, url } = request;
    signal.throwIfAborted();
    const body = request.body && Buffer.from(await request.arrayBuffer());
    const headers = Object.fromEntries(request.headers);
    try {
      const sent = https.request(url, { agent: false, ca, method, headers, signal }).end(body ?? undefined);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      if (redirect !== 'manual' && REDIRECTS.includes(answer.statusCode!)) {
        answer.destroy();
        throw new Error("the sandbox's fetch follows no redirect");
      }
      return responseFrom(answer);
    } catch (cause) {
      signal.throwIfAborted();
      throw new TypeError('fetch failed', { cause });
    }
  };
}

function responseFrom(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText, rawHeaders } = answer;
  const headers = new Headers();
  for (let n = 0; n < rawHeaders.length; n += 2) headers.append(rawHeaders[n]!, rawHeaders[n + 1]!);
  const isEmpty = WITHOUT_BODY.includes(status);
  if (isEmpty) answer.resume();
  const body = isEmpty ? null : (Readable.toWeb(answer) as ConstructorParameters<typeof Response>[0]);
  return new Response(body, { status, statusText, headers });
}
