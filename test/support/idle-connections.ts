import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

/**
 * What a server announces about a connection on which it just answered: `keep-alive` if it stays open until the client
 * closes it, with the limit if the server closes it when idle.
 */
export async function announcedConnection(url: string, ca?: string): Promise<string> {
  const { get, Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, ca });
  try {
    const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
    return [response.headers.connection, response.headers['keep-alive']].flat().filter(Boolean).join(', ');
  } finally {
    agent.destroy();
  }
}
