import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { json } from 'node:stream/consumers';
import tls from 'node:tls';

/** Sends a request. Resolves to the status of the response, or the code of the connection error. */
export function sendOverTls(
  method: string,
  url: string,
  { body, ...options }: { ca: string; body?: object; agent?: https.Agent | false },
): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const request = https.request(url, { agent: false, ...options, method });
    request.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    request.end(body && JSON.stringify(body));
  });
}

/** The JSON document at an address. */
export async function documentAt(url: string, ca: string): Promise<unknown> {
  const request = https.get(url, { ca, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return json(response);
}

/** Sends a GET request without TLS. Resolves to whether there was an answer. */
export function isAnsweredInPlain(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    http
      .get(url.replace(/^https/, 'http'), { agent: false }, () => resolve(true))
      .on('error', () => resolve(false));
  });
}

/** Why a client that trusts the CA refuses the server, if it does. */
export function handshakeFault(url: string, ca: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = tls.connect({ host: hostname, port: Number(port), ca });
    const end = (code?: string) => {
      socket.destroy();
      resolve(code);
    };
    socket.once('secureConnect', () => end());
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code));
  });
}
