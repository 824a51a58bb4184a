import { createSandbox, type SandboxOptions } from '../../../../platform/sandbox/sandbox';

/** Where a sandbox without a port is for clients that want an address. */
export const ORIGIN = 'https://platform.example';

/** A sandbox in this process, as something that `fetch` can be handed. */
export function sandboxFetch(seed: object, options: SandboxOptions = {}): typeof fetch {
  const app = createSandbox(seed, options);
  return async (input, init) => app.fetch(new Request(input, init));
}

/** Asks the control. @returns the body, where there is one */
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
