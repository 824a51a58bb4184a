import { type Send } from '../conformance/https-requests';

/** Sends a request to the sandbox's control: `control('POST', 'clock', {advanceSec: 60})`. */
export type Control = <T>(method: string, path: string, input?: unknown) => Promise<T>;

/** @param url control's address, such as `https://127.0.0.1:8443/_sandbox` */
export function controlAt(url: string, send: Send, headers: Record<string, string> = {}): Control {
  return async <T>(method: string, path: string, input?: unknown) => {
    const { status, body } = await send({
      method,
      url: `${url}/${path}`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: input === undefined ? undefined : JSON.stringify(input),
    });
    if (status > 299) throw new Error(`control answered ${method} /${path} with ${status}`);
    return (body === '' ? undefined : JSON.parse(body)) as T;
  };
}
