import { type HttpAnswer, type HttpRequest, type Send } from '../../../src/conformance/https-requests';
import { type Front } from '../violation';
import { type Asks } from './operations';

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;
type Maybe<T> = T | Promise<T>;

/** Changes requests. */
export function changeRequest(
  is: Asks,
  change: (asked: HttpRequest, sandbox: Send) => Maybe<HttpRequest>,
): Front {
  return (sandbox) => async (asked) => sandbox(is(asked) ? await change(asked, sandbox) : asked);
}

/** Changes the fields of request bodies that are JSON objects. */
export function changeRequestBody(
  is: Asks,
  change: (body: Fields, asked: HttpRequest, sandbox: Send) => Maybe<Fields>,
): Front {
  return changeRequest(is, async (asked, sandbox) => {
    const body = fieldsOf(asked);
    return body ? { ...asked, body: JSON.stringify(await change(body, asked, sandbox)) } : asked;
  });
}

/** Changes one request header; undefined removes it. */
export function changeHeader(
  is: Asks,
  name: string,
  change: (value: string | undefined, asked: HttpRequest) => string | undefined,
): Front {
  return changeRequest(is, (asked) => withHeader(asked, name, change(asked.headers?.[name], asked)));
}

/** Changes answers. */
export function changeAnswer(
  is: Asks,
  change: (answer: HttpAnswer, asked: HttpRequest, sandbox: Send) => Maybe<HttpAnswer>,
): Front {
  return (sandbox) => async (asked) => {
    const answer = await sandbox(asked);
    return is(asked) ? change(answer, asked, sandbox) : answer;
  };
}

/** Changes answers with this status. */
export function whenAnswered(
  status: number,
  is: Asks,
  change: (asked: HttpRequest, sandbox: Send, answer: HttpAnswer) => Maybe<HttpAnswer>,
): Front {
  return changeAnswer(is, (answer, asked, sandbox) =>
    answer.status === status ? change(asked, sandbox, answer) : answer,
  );
}

/** Replaces one status with another. */
export function changeStatus(is: Asks, from: number, to: number): Front {
  return whenAnswered(from, is, (_asked, _sandbox, answer) => ({ ...answer, status: to }));
}

/** Changes the bodies of successful answers. */
export function changeBody<Body = Fields>(
  is: Asks,
  change: (body: Body, asked: HttpRequest, sandbox: Send) => unknown,
): Front {
  return changeAnswer(is, async (answer, asked, sandbox) => {
    if (answer.status >= 300 || answer.body === '') return answer;
    return { ...answer, body: JSON.stringify(await change(JSON.parse(answer.body) as Body, asked, sandbox)) };
  });
}

/** Answers without forwarding the request. */
export function answerInstead(is: Asks, status: number, body: unknown = {}): Front {
  return (sandbox) => async (asked) => (is(asked) ? answerOf(status, body) : sandbox(asked));
}

/** Chains two fronts. */
export function together(outer: Front, inner: Front): Front {
  return (sandbox) => outer(inner(sandbox));
}

/** A JSON answer. */
export function answerOf(status: number, body: unknown): HttpAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The JSON object in the body of a request, if any. */
export function fieldsOf({ body = '' }: HttpRequest): Fields | undefined {
  try {
    const fields: unknown = JSON.parse(body);
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? (fields as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The same request with one header changed; undefined removes it. */
export function withHeader(asked: HttpRequest, name: string, value: string | undefined): HttpRequest {
  const { [name]: former, ...headers } = asked.headers ?? {};
  if (value === former) return asked;
  return { ...asked, headers: value === undefined ? headers : { ...headers, [name]: value } };
}
