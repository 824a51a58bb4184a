import { type Breakable } from '../support/breaks/break';

const HTTPS_CLIENT_FOLLOWS = {
  file: 'lambdas/shared/adapters/https-client.ts',
  from: 'resolve({ status: answer.statusCode ?? 0, headers: flatten(answer), body: text });',
  to: 'resolve(answer.headers.location ? sendHttps({ ...options, url: new URL(answer.headers.location) }) : { status: answer.statusCode ?? 0, headers: flatten(answer), body: text });',
};

export const BREAKS: Breakable[] = [
  { id: 'of a token request', brokenBy: HTTPS_CLIENT_FOLLOWS },
  { id: 'of a restore request', brokenBy: HTTPS_CLIENT_FOLLOWS },
  { id: 'of a request for an API key', brokenBy: HTTPS_CLIENT_FOLLOWS },
  { id: 'of the proof of an API key', brokenBy: HTTPS_CLIENT_FOLLOWS },
  {
    id: 'of a request of authorizedFetch',
    brokenBy: { file: 'client/authorized-fetch.ts', from: "redirect: 'manual'", to: "redirect: 'follow'" },
  },
];
