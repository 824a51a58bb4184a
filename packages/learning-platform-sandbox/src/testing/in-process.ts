import { sandboxApp } from '../sandbox/sandbox';
import { createState, type StateOptions } from '../sandbox/sandbox-state';

/** The origin of a sandbox without a port, for clients that need one. */
export const ORIGIN = 'https://platform.example';

/** A `fetch` that sends requests to a sandbox in this process. */
export function sandboxFetch(seed: object, options: StateOptions = {}): typeof fetch {
  const app = sandboxApp(createState(seed, options));
  return async (input, init) => app.fetch(new Request(input, init));
}

/** Sends a request to control. @returns the body, if any */
export async function askControl(
  send: typeof fetch,
  method: string,
  path: string,
  json?: object,
): Promise<unknown> {
  const answer = await send(`${ORIGIN}/_sandbox/${path}`, { method, body: json && JSON.stringify(json) });
  if (!answer.ok) throw new Error(`control answered ${answer.status} to ${method} ${path}`);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}
