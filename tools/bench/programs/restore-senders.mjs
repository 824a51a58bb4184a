/** Ways to send one restore to the platform. Each takes `(path, body, token)` and returns `{ status, text }`. */
import https from 'node:https';

import axios from 'axios';
import { Client } from 'undici';

const headersOf = (token) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json',
});

/** @param base address of the platform's content API */
export function senders(base) {
  const { origin, pathname, hostname, port } = new URL(base);
  const client = new Client(origin, { pipelining: 1 });
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  const axiosClient = axios.create({
    httpsAgent: agent,
    transformResponse: (text) => text,
    validateStatus: () => true,
    proxy: false,
  });
  return {
    undici: async (path, body, token) => {
      const options = { method: 'POST', path: `${pathname}${path}`, headers: headersOf(token), body };
      const answer = await client.request(options);
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    https: (path, body, token) =>
      new Promise((resolve, reject) => {
        const headers = { ...headersOf(token), 'content-length': Buffer.byteLength(body) };
        const options = { hostname, port, path: `${pathname}${path}`, method: 'POST', agent, headers };
        const outgoing = https.request(options, (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk) => (text += chunk));
          answer.on('end', () => resolve({ status: answer.statusCode, text }));
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    fetch: async (path, body, token) => {
      const answer = await fetch(`${base}${path}`, { method: 'POST', headers: headersOf(token), body });
      return { status: answer.status, text: await answer.text() };
    },
    axios: async (path, body, token) => {
      const answer = await axiosClient.post(`${base}${path}`, body, { headers: headersOf(token) });
      return { status: answer.status, text: answer.data };
    },
  };
}
