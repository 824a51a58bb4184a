import { CHALLENGES } from '../../../core/restore/problem';
import { type ProblemCode } from '../../../core/restore/restore-outcomes';
import { RESTORE_PATH } from '../../../core/restore/restore-operation';
import { expectDocumented, type SeenAnswer, type SeenRequest, undocumented } from './documented-answers';
import { restoreDocument } from './restore-document';

const { responses } = restoreDocument('platform').paths[RESTORE_PATH].post;
const OURS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const GATEWAYS = {
  date: 'Mon, 01 Jan 2024 00:00:00 GMT',
  'content-length': '2',
  connection: 'close',
  'x-amzn-requestid': '0c8f2a4e-6b1d-4f3a-9e57-2d7c1b8a9f60',
  'x-amz-apigw-id': 'abc=',
  'x-amzn-trace-id': 'Root=1-0-0',
};

function restored(change: object = {}): SeenAnswer {
  const headers = { ...OURS, ...GATEWAYS, 'content-type': 'application/json' };
  const { value } = responses[200]!.content['application/json']!.examples.restored!;
  return { status: 200, headers, body: { ...(value as object), ...change } };
}

function problem(code: ProblemCode, headers: SeenAnswer['headers'] = {}, change: object = {}): SeenAnswer {
  const examples = Object.values(responses).flatMap(({ content }) =>
    Object.entries(content['application/problem+json']?.examples ?? {}),
  );
  const { value } = examples.find(([name]) => name === code)![1] as { value: { status: number } };
  return {
    status: value.status,
    headers: { ...OURS, ...GATEWAYS, 'content-type': 'application/problem+json', ...headers },
    body: { ...value, ...change },
  };
}
const challenge = { 'www-authenticate': CHALLENGES };

describe('an answer as documented', () => {
  it.each<[string, SeenAnswer]>([
    ['a success', restored()],
    ['a record without items', restored({ items: [] })],
    ['words that the platform invents', restored({ status: 'frozen', items: [{ type: 'hologram' }] })],
    ['a 401 with its challenges', problem('unauthorized', challenge)],
    ['a 429 without Retry-After', problem('too_many_requests')],
    ['a 429 with Retry-After', problem('too_many_requests', { 'Retry-After': '7' })],
    ['a 415 with Accept', problem('unsupported_media_type', { accept: 'application/json' })],
    [
      'API Gateway’s own 413',
      { status: 413, headers: { 'content-type': 'application/json' }, body: { message: 'Request Too Long' } },
    ],
  ])('passes: %s', (_, answer) => {
    expectDocumented(answer, 'platform');
  });
});

describe('an answer with any undocumented part fails', () => {
  it.each<[string, SeenAnswer, RegExp]>([
    ['a status', { ...restored(), status: 418 }, /status 418/],
    ['a code', problem('not_archived', {}, { code: 'something_else' }), /code/],
    ['a code of another status', problem('not_archived', {}, { code: 'forbidden' }), /code/],
    ['a status in the body that is not the answer’s', problem('not_archived', {}, { status: 404 }), /status/],
    ['a field of a problem', problem('not_archived', {}, { upstream: 'text' }), /additional.*upstream/],
    ['a missing field of a problem', problem('not_archived', {}, { requestId: undefined }), /requestId/],
    ['a field of the record', restored({ owner: 'me' }), /additional.*owner/],
    ['a field of an item', restored({ items: [{ url: 'https://a' }] }), /items\/0.*additional.*url/],
    ['a rank that is no number', restored({ items: [{ rank: '1' }] }), /rank/],
    ['a missing challenge', problem('unauthorized'), /WWW-Authenticate is missing/],
    ['another challenge', problem('unauthorized', { 'www-authenticate': 'Basic' }), /www-authenticate/],
    [
      'a renamed challenge',
      problem('unauthorized', { ...challenge, 'x-amzn-remapped-www-authenticate': CHALLENGES }),
      /remapped-www/,
    ],
    ['the challenges of a 401 on a 403', problem('forbidden', challenge), /www-authenticate/],
    ['a 415 without Accept', problem('unsupported_media_type'), /Accept is missing/],
    [
      'a Retry-After that is no number',
      problem('too_many_requests', { 'retry-after': 'soon' }),
      /retry-after/,
    ],
    ['a Retry-After of an hour', problem('too_many_requests', { 'retry-after': '3600' }), /retry-after/],
    [
      'a Retry-After on a 409',
      problem('not_archived', { 'retry-after': '1' }),
      /retry-after is not documented/,
    ],
    ['a header', problem('not_archived', { 'x-powered-by': 'us' }), /x-powered-by/],
    ['a cookie', problem('not_archived', { 'set-cookie': ['a=b'] }), /set-cookie/],
    [
      'a storable answer',
      problem('not_archived', { 'cache-control': undefined }),
      /Cache-Control is missing/,
    ],
    ['another media type', problem('not_archived', { 'content-type': 'application/json' }), /content type/],
    [
      'HTML',
      { ...restored(), headers: { ...OURS, 'content-type': 'text/html' }, body: '<html>' },
      /text\/html/,
    ],
    [
      'API Gateway’s own format in the place of ours',
      { ...problem('forbidden'), body: { message: 'Forbidden' } },
      /additional.*message/,
    ],
  ])('%s', (_, answer, finding) => {
    expect(undocumented(answer, 'platform').join('\n')).toMatch(finding);
  });

  it.each<[string, SeenRequest]>([
    ['an unknown field', { body: { authorRef: 'a', role: 'admin' } }],
    ['nobody who acts', { body: {} }],
    ['a space at the end', { body: { authorRef: 'a ' } }],
    ['no object', { body: 'text' }],
  ])('a success for a request with %s', (_, request) => {
    expect(undocumented(restored(), 'platform', request).join('\n')).toMatch(/request body of a success/);
  });

  it('documented only in the other mode', () => {
    const answer = problem('unauthorized', challenge);

    expect(undocumented(answer, 'platform')).toEqual([]);
    expect(undocumented(answer, 'iam')).toEqual(['status 401 is not documented in iam mode']);
  });
});

it('an answer to HEAD is checked without its body', () => {
  expectDocumented({ ...problem('unknown_route'), body: '' }, 'platform', { method: 'HEAD' });
});
