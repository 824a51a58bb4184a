import { type APIGatewayProxyEvent } from 'aws-lambda';

import { type ClauseHole } from '../../support/restore-api/clause-case';
import { type Hole } from '../../support/restore-api/hole';

const REFUSALS = [403, 404, 409, 415, 422, 429, 502];
const KNOWN = [200, 401, ...REFUSALS];
/** A status that no specification defines. */
const NOBODY_KNOWS = 599;
const FEW_BYTES = 64 * 1024;
const MANY_BYTES = 1024 * 1024;

/** Holes in what is sent to the platform, and in how its answers are read. */
export const PLATFORM_HOLES = {
  callersCredentialIsPassedOn: sent(
    'the platform gets the caller’s credential instead of a token of the deployment',
    ({ authorization }, headers) => headers.set('authorization', authorization!),
  ),
  callersMediaTypeIsPassedOn: sent('the platform gets the caller’s media type', (callers, headers) =>
    headers.set('content-type', callers['content-type']!),
  ),
  callersHeadersArePassedOn: sent('headers of the caller reach the platform', (callers, headers) => {
    for (const [name, value] of Object.entries(callers)) if (/^x-\w+-/.test(name)) headers.set(name, value);
  }),
  actingUserIsInBothPlaces: {
    wrong: 'the acting user is in the headers and in the body',
    platform: (request, run) =>
      run(copyOf(request, JSON.stringify({ authorRef: request.headers.get('x-author-ref') }))),
  },
  tokensAreLogged: {
    wrong: 'the token of a request to the platform is logged',
    platform: (request, run) => {
      process.stdout.write(request.headers.get('authorization')!);
      return run(request);
    },
  },
  everyRequestIsSentTwice: repeated('every request to the platform is sent twice', () => true),
  failuresAreSentAgain: repeated(
    'a request is sent again after a failure of the platform',
    ({ status }) => status === 0 || status === 429 || status >= 500,
  ),
  refusedTokensAreSentAgain: repeated(
    'a request is sent again with the token that the platform refused',
    ({ status }) => status === 401,
  ),
  redirectsAreFollowed: {
    wrong: 'a redirect of the platform is followed',
    platform: async (request, run) => {
      const answer = await run(request.clone());
      const location = answer.headers.get('location');
      return location === null ? answer : run(new Request(new URL(location, request.url), request));
    },
  },

  refusalsAreUnknown: read('a documented refusal is not recognized', (status, text) => [
    REFUSALS.includes(status) ? NOBODY_KNOWS : status,
    text,
  ]),
  refusedTokenIsFinal: read('a token that the platform refuses is not replaced', (status, text) => [
    status === 401 ? NOBODY_KNOWS : status,
    text,
  ]),
  undocumentedIsFailure: read(
    'an undocumented answer counts as a failure that modified nothing',
    (status, text) => [KNOWN.includes(status) ? status : 502, text],
  ),
  every2xxIsSuccess: read('every 2xx status counts as a success', (status, text) => [
    status < 300 ? 200 : status,
    text,
  ]),
  bodyTellsTheOutcome: read('a body that says published counts more than the status', (status, text) => [
    text.includes('"published"') ? 200 : status,
    text,
  ]),
  errorsMustBeJson: read('a refusal is not recognized if its body is not JSON', (status, text) => [
    status >= 400 && text.startsWith('<') ? NOBODY_KNOWS : status,
    text,
  ]),
  answersMustBeShort: read('an answer of more than 64 KiB is not read', (status, text) => [
    text.length > FEW_BYTES ? NOBODY_KNOWS : status,
    text,
  ]),
  longAnswersAreCut: read('an answer is read up to its limit, and the rest is ignored', (status, text) => [
    status,
    text.slice(0, MANY_BYTES),
  ]),
  emptyListIsNoRecord: read('a content without items is not accepted', (status, text) => [
    status,
    text.replace('"items":[]', '"items":null'),
  ]),
  idHasOneSpelling: read(
    'a record whose id is in another case counts as that of another content',
    (status, text) => [status, text.replace(/"id":"[^"]*[A-F]/, '$&-another')],
  ),
  textsAreLatin1: read('answers are read as Latin-1', (status, text) => [
    status,
    Buffer.from(text).toString('latin1'),
  ]),
} satisfies Record<string, ClauseHole>;

/** A hole in how the platform's answer is read: another one replaces it. */
function read(wrong: string, change: (status: number, text: string) => [number, string]): Hole {
  return {
    wrong,
    platform: async (request, run) => {
      const answer = await run(request);
      if (answer.status === 0) return answer;
      const headers = new Headers(answer.headers);
      headers.delete('content-length');
      const [status, text] = change(answer.status, await answer.text());
      return new Response(status === 204 ? null : text, { status, headers });
    },
  };
}

/** A hole in the headers of a request to the platform, which may depend on the caller's. */
function sent(wrong: string, change: (callers: Record<string, string>, headers: Headers) => void): Hole {
  let callers: Record<string, string> = {};
  return {
    wrong,
    restore: (event, run) => {
      callers = lowerCase(event);
      return run(event);
    },
    platform: async (request, run) => {
      const copy = copyOf(request, await request.text());
      change(callers, copy.headers);
      return run(copy);
    },
  };
}

function repeated(wrong: string, isRepeated: (answer: Response) => boolean): Hole {
  return {
    wrong,
    platform: async (request, run) => {
      const text = await request.text();
      const answer = await run(copyOf(request, text));
      return isRepeated(answer) ? run(copyOf(request, text)) : answer;
    },
  };
}

function copyOf({ url, method, headers }: Request, body: string): Request {
  const copied = new Headers(headers);
  copied.delete('content-length');
  return new Request(url, { method, headers: copied, body });
}

function lowerCase({ headers }: APIGatewayProxyEvent): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value!]));
}
