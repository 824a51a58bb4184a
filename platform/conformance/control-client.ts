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

/**
 * @param url control's address, such as `https://127.0.0.1:8443/_sandbox`
 * @param secret gives access to the control of a sandbox on AWS
 */
export function controlAt(url: string, send: Send, secret?: string): Control {
  return async <T>(method: string, path: string, input?: unknown) => {
    const answer = await send({
      method,
      url: `${url}/${path}`,
      headers: {
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
        ...(input !== undefined && { 'content-type': 'application/json' }),
      },
      ...(input !== undefined && { body: JSON.stringify(input) }),
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
