import { type HttpAnswer, type Send } from './https-requests';

/** Control refused a request. The error leaves out control's message, which may quote the request. */
export class ControlRefusedError extends Error {
  readonly code = 'control_refused';
  readonly status: number;

  constructor(operation: string, status: number) {
    super(`the sandbox's control answered ${operation} with ${status}`);
    this.name = 'ControlRefusedError';
    this.status = status;
  }
}

/** Sends a request to the sandbox's control. @throws {ControlRefusedError} */
export type Control = <T>(method: string, path: string, input?: unknown) => Promise<T>;

/** @param url control's address, such as `https://127.0.0.1:8443/_sandbox` */
export function controlAt(url: string, send: Send): Control {
  return async <T>(method: string, path: string, input?: unknown) => {
    const answer = await send({
      method,
      url: `${url}/${path}`,
      ...(input === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }),
    });
    return read(`${method} /${path.split('/')[0]}`, answer) as T;
  };
}

function read(operation: string, { status, body }: HttpAnswer): unknown {
  if (status < 200 || status > 299) throw new ControlRefusedError(operation, status);
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new ControlRefusedError(operation, status);
  }
}
