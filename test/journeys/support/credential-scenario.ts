import { SendMessageCommand } from '@aws-sdk/client-sqs';

import { type Alphabet, type CanaryRecorder, LEAK } from './canary-recorder';
import { type Place, type RestoreCall } from './place';

/**
 * Sends credentials everywhere they could go: to the right places, to wrong ones by a caller's mistake, and into answers of a
 * faulty platform or broken secrets.
 */
export async function sendCredentials(recorder: CanaryRecorder): Promise<void> {
  const { system } = recorder;
  const place = system.place('staging', 'global');
  await collectLoaded(recorder, place);
  await callersWithCredentials(recorder, place);
  await callersWithMisplacedCredentials(recorder, place);
  await platformThatTellsCredentials(recorder, place);
  await tokenEndpointThatTellsCredentials(recorder);
  await secretsThatCannotBeRead(recorder, system.place('production', 'mea'));
  await plantedLeaks(recorder, place);
  await system.advance(300);
}

/** Collects the credentials that the system uses: all of one tenant, and the account's access keys. */
async function collectLoaded(recorder: CanaryRecorder, place: Place): Promise<void> {
  const { aws, operator } = recorder.system.run;
  recorder.add('secret key of the administrator', aws.secretAccessKey);
  recorder.add('secret key of the operator', operator.secretAccessKey);
  recorder.add('client secret', (await place.pair()).clientSecret);
  recorder.add('API key', (await place.apiKey()).apiKey);
  for (const { scope } of place.tenant.tokens)
    recorder.add(`token ${scope}`, (await place.token(scope)).accessToken);
}

async function callersWithCredentials(recorder: CanaryRecorder, place: Place): Promise<void> {
  const [first, second, third] = place.tenant.archivedContentIds as [string, string, string];
  const [key, token] = [await place.basic(), await place.bearer('api/write')];
  await recorder.restore('Basic', 200, place, first, { authorization: key });
  await recorder.restore('Bearer', 200, place, second, { authorization: token });
  const reading = await place.bearer('api/read');
  await recorder.restore('token that may only read', 403, place, third, { authorization: reading });

  await place.fail('content', { status: 401, times: 1 });
  await recorder.restore('token that is replaced', 200, place, third, { authorization: key });
  recorder.add('token after the refused one', (await place.token('api/write')).accessToken);
}

async function callersWithMisplacedCredentials(recorder: CanaryRecorder, place: Place): Promise<void> {
  const authorization = await place.basic();
  const contentId = place.tenant.archivedContentIds[3]!;
  const call = async (
    name: string,
    status: number,
    request: (value: string) => RestoreCall,
    alphabet?: Alphabet,
  ) => {
    const misplaced = request(recorder.plant(name, alphabet));
    await recorder.restore(name, status, place, contentId, { authorization, ...misplaced });
  };

  const wrong = await place.basic(recorder.plant('wrong API key'));
  await recorder.restore('wrong API key', 401, place, contentId, { authorization: wrong });
  await call('wrong token', 401, (value) => ({ authorization: `Bearer ${value}` }), 'token');
  await call('key of an unknown scheme', 401, (value) => ({ authorization: `ApiKey ${value}` }), 'ascii');
  await call('session as authorRef', 422, (value) => ({ body: { authorRef: `Bearer ${value}` } }), 'ascii');
  await call('key as collaborationId', 422, (value) => ({ body: { collaborationId: value } }));
  await call('secret as field name', 422, (value) => ({ body: { authorRef: 'a', [value]: 'b' } }));
  await call('secret in broken JSON', 400, (value) => ({ body: `${value}{` }));
  await call('secret as content type', 415, (value) => ({ contentType: value }), 'ascii');

  const query = recorder.plant('token in the query', 'token');
  const url = `${place.restoreUrl(contentId)}?access_token=${query}`;
  const headers = { authorization, 'x-api-key': query };
  recorder.answered('token in the query', 415, await recorder.system.send('POST', url, { headers }));
  const rejectedTokenSha256 = recorder.plant('token instead of its digest', 'token');
  await recorder.ensure('token instead of its digest', 'invalid_request', place, { rejectedTokenSha256 });
}

async function platformThatTellsCredentials(recorder: CanaryRecorder, place: Place): Promise<void> {
  const contentId = place.tenant.archivedContentIds[3]!;
  const authorization = await place.basic();
  const fail = async (
    name: string,
    status: number,
    fault: (value: string) => object,
    alphabet?: Alphabet,
  ) => {
    await place.fail('content', { ...fault(recorder.plant(name, alphabet)), times: 1 });
    await recorder.restore(name, status, place, contentId, { authorization });
  };

  await fail('secret in an error body', 500, (value) => ({ status: 500, body: { message: value } }));
  await fail('secret in a refusal', 422, (value) => ({ status: 422, body: { message: value } }));
  await fail('secret in HTML', 500, (value) => ({ status: 200, body: value }));
  await fail('secret in a redirect', 500, (value) => redirect(`https://127.0.0.1/?${value}`), 'token');
  await fail('secret in Retry-After', 429, (value) => retryAfter(value), 'token');
  await fail('secret in a header', 403, (value) => ({ status: 403, headers: { 'x-token': value } }), 'token');
  const record = { id: contentId, status: 'published', items: [] };
  await fail('secret beside a record', 200, (value) => ({ status: 200, body: { ...record, token: value } }));
}

/** Uses one deployment or tenant per case, since token-refresh caches failures. */
async function tokenEndpointThatTellsCredentials(recorder: CanaryRecorder): Promise<void> {
  const { system } = recorder;
  const fail = async (name: string, code: string, place: Place, status: number, body: object | string) => {
    await place.fail('token', { status, body });
    await recorder.ensure(name, code, place, await place.rejected('api/write'));
  };

  const error_description = recorder.plant('secret in a token refusal');
  const refusal = { error: 'invalid_client', error_description };
  const refused = system.place('staging', 'global', 1);
  await fail('secret in a token refusal', 'credential_refused', refused, 400, refusal);
  const broken = `${recorder.plant('secret in broken token JSON')}{`;
  const answered = system.place('staging', 'mea');
  await fail('secret in broken token JSON', 'bad_platform_answer', answered, 200, broken);
  const access_token = recorder.plant('token without expiry', 'token');
  const endless = { access_token, token_type: 'Bearer', expires_in: 'never' };
  const last = system.place('production', 'global');
  await fail('token without expiry', 'bad_platform_answer', last, 200, endless);
}

async function secretsThatCannotBeRead(recorder: CanaryRecorder, place: Place): Promise<void> {
  const { system } = recorder;
  const { clientCredentialsArn, apiKeyArn, archivedContentIds } = place.tenant;
  const rejected = await place.rejected('api/write');
  const clientSecret = recorder.plant('refused client secret');
  await system.putSecret(clientCredentialsArn, { clientId: 'unknown', clientSecret });
  // The former client credentials obtain these two tokens.
  await recorder.ensure('refused client secret', 'ok', place, rejected);
  await system.putSecret(clientCredentialsArn, recorder.plant('malformed credentials'));
  await recorder.ensure('malformed credentials', 'ok', place, rejected);
  await system.putSecret(apiKeyArn!, recorder.plant('malformed API key'));
  const authorization = await place.basic('any');
  await recorder.restore('malformed API key', 401, place, archivedContentIds[0]!, { authorization });
  recorder.answers.push({ place: 'answer to a sweep', text: JSON.stringify(await place.sweep()) });
}

/**
 * Puts the canary where it must be visible: into a path, which the access log records; into a record, which the answer
 * contains; into a content id, which everything that lists requests shows; and into a dead letter.
 */
async function plantedLeaks(recorder: CanaryRecorder, place: Place): Promise<void> {
  const authorization = await place.basic();
  await recorder.restore('leak in the path', 422, place, encodeURIComponent(LEAK), { authorization });
  const contentId = place.tenant.archivedContentIds[4]!;
  const body = { id: contentId, status: 'published', items: [{ id: 'item', summary: LEAK }] };
  await place.fail('content', { status: 200, body, times: 1 });
  await recorder.restore('leak in a record', 200, place, contentId, { authorization });
  const hexadecimal = Buffer.from(LEAK).toString('hex').slice(0, 24);
  await recorder.restore('leak as a content id', 404, place, hexadecimal, { authorization });
  const QueueUrl = await place.parameter('dead-letter-queue-url');
  const MessageBody = JSON.stringify({ requestPayload: LEAK });
  await recorder.system.administrator.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
}

const redirect = (location: string) => ({ status: 302, headers: { location } });
const retryAfter = (value: string) => ({ status: 429, headers: { 'retry-after': value } });
