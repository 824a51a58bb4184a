import { type APIGatewayProxyEvent } from 'aws-lambda';

import { type ClauseHole } from '../../support/restore-api/clause-case';
import { type Hole } from '../../support/restore-api/hole';

const REFUSALS = [403, 404, 409, 415, 422, 429, 502];
const KNOWN = [200, 401, ...REFUSALS];
/** A status that no specification has. */
const NOBODY_KNOWS = 599;
const FEW_BYTES = 64 * 1024;
const MANY_BYTES = 1024 * 1024;

/** Holes in what is sent to the platform, and in how its answers are understood. */
export const PLATFORM_HOLES = {
  callersCredentialIsPassedOn: {
    wrong: 'the platform is shown what the caller presents, instead of a token of the deployment',
    ...sent(({ authorization }, headers) => headers.set('authorization', authorization!)),
  },
  callersMediaTypeIsPassedOn: {
    wrong: 'the platform gets the media type that the caller wrote',
    ...sent((callers, headers) => headers.set('content-type', callers['content-type']!)),
  },
  callersHeadersArePassedOn: {
    wrong: 'headers of the caller reach the platform',
    ...sent((callers, headers) => {
      for (const [name, value] of Object.entries(callers)) if (/^x-\w+-/.test(name)) headers.set(name, value);
    }),
  },
  actingUserIsInBothPlaces: {
    wrong: 'the acting user is in the body too where headers carry it',
    platform: (request, run) =>
      run(copyOf(request, JSON.stringify({ authorRef: request.headers.get('x-author-ref') }))),
  },
  tokensAreLogged: {
    wrong: 'the token of a request to the platform is in the log',
    platform: (request, run) => {
      process.stdout.write(request.headers.get('authorization')!);
      return run(request);
    },
  },
  everyRequestIsSentTwice: { wrong: 'every request to the platform is sent twice', ...repeated(() => true) },
  failuresAreSentAgain: {
    wrong: 'a request that the platform answers with a failure is sent again',
    ...repeated(({ status }) => status === 0 || status === 429 || status >= 500),
  },
  refusedTokensAreSentAgain: {
    wrong: 'a request is sent again with the token that the platform refused',
    ...repeated(({ status }) => status === 401),
  },
  redirectsAreFollowed: {
    wrong: 'a redirect of the platform is followed',
    platform: async (request, run) => {
      const answer = await run(request.clone());
      const location = answer.headers.get('location');
      return location === null ? answer : run(new Request(new URL(location, request.url), request));
    },
  },

  refusalsAreUnknown: {
    wrong: 'a refusal that the platform documents is not known for what it is',
    ...read((status, text) => [REFUSALS.includes(status) ? NOBODY_KNOWS : status, text]),
  },
  refusedTokenIsFinal: {
    wrong: 'a token that the platform refuses is not replaced',
    ...read((status, text) => [status === 401 ? NOBODY_KNOWS : status, text]),
  },
  undocumentedIsFailure: {
    wrong: 'an answer that nobody knows counts as a failure that modified nothing',
    ...read((status, text) => [KNOWN.includes(status) ? status : 502, text]),
  },
  every2xxIsSuccess: {
    wrong: 'every status that begins with 2 counts as a success',
    ...read((status, text) => [status < 300 ? 200 : status, text]),
  },
  bodyTellsTheOutcome: {
    wrong: 'a body that says published counts more than the status',
    ...read((status, text) => [text.includes('"published"') ? 200 : status, text]),
  },
  errorsMustBeJson: {
    wrong: 'a refusal is not recognized if its body is not JSON',
    ...read((status, text) => [status >= 400 && text.startsWith('<') ? NOBODY_KNOWS : status, text]),
  },
  answersMustBeShort: {
    wrong: 'an answer of more than 64 KiB is not read',
    ...read((status, text) => [text.length > FEW_BYTES ? NOBODY_KNOWS : status, text]),
  },
  longAnswersAreCut: {
    wrong: 'an answer is read up to its limit, and the rest is ignored',
    ...read((status, text) => [status, text.slice(0, MANY_BYTES)]),
  },
  emptyListIsNoRecord: {
    wrong: 'a content without items is not taken for one',
    ...read((status, text) => [status, text.replace('"items":[]', '"items":null')]),
  },
  idHasOneSpelling: {
    wrong: 'a record whose id is in the other case counts as that of another content',
    ...read((status, text) => [status, text.replace(/"id":"[^"]*[A-F]/, '$&-another')]),
  },
  textsAreLatin1: {
    wrong: 'answers are not read as UTF-8',
    ...read((status, text) => [status, Buffer.from(text).toString('latin1')]),
  },
} as const satisfies Record<string, ClauseHole>;

/** A hole in how an answer of the platform is read, as another answer that comes in its place. */
function read(change: (status: number, text: string) => [number, string]): Pick<Hole, 'platform'> {
  return {
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

/** A hole in the headers of a request to the platform, which may depend on those of the caller's. */
function sent(
  change: (callers: Record<string, string>, headers: Headers) => void,
): Pick<Hole, 'platform' | 'restore'> {
  let callers: Record<string, string> = {};
  return {
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

function repeated(isRepeated: (answer: Response) => boolean): Pick<Hole, 'platform'> {
  return {
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
