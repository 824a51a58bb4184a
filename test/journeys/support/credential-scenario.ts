import { createHash } from 'node:crypto';

import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand } from '@aws-sdk/client-sqs';

import { type TokenValue } from '../../../core/secrets/secret-values';
import { type Alphabet, type CanaryRecorder, LEAK } from './canary-recorder';
import { basic, type Place, published, sweep, tokenArn } from './journeys';
import { basicOf, bearerOf, failContent, type RestoreCall, restoreUrl } from './restore-calls';

/**
 * Sends credentials everywhere they could go: to the right places, to wrong ones by a caller's mistake, and into answers of a
 * faulty platform or broken secrets.
 */
export async function sendCredentials(recorder: CanaryRecorder): Promise<void> {
  await collectLoaded(recorder);
  await callersWithCredentials(recorder);
  await callersWithMisplacedCredentials(recorder);
  await platformThatTellsCredentials(recorder);
  await tokenEndpointThatTellsCredentials(recorder);
  await secretsThatCannotBeRead(recorder);
  await plantedLeaks(recorder);
  await recorder.system.advance(300);
}

/** Collects the credentials that the system uses: all of one tenant, and the account's access keys. */
async function collectLoaded(recorder: CanaryRecorder): Promise<void> {
  const { run } = recorder.system;
  recorder.add('secret key of the administrator', run.aws.secretAccessKey);
  recorder.add('secret key of the operator', run.operator.secretAccessKey);
  const { tenant } = recorder.placeIn();
  const pair = await recorder.system.secret<{ clientSecret: string }>(tenant.clientCredentialsArn);
  recorder.add('client secret', pair.clientSecret);
  const key = await recorder.system.secret<{ apiKey: string }>(tenant.apiKeyArn!);
  recorder.add('API key', key.apiKey);
  for (const { interface: name, scope, arn } of tenant.tokens) {
    recorder.add(`${name} token ${scope}`, (await recorder.system.secret<TokenValue>(arn)).accessToken);
  }
}

async function callersWithCredentials(recorder: CanaryRecorder): Promise<void> {
  const place = recorder.placeIn();
  const [first, second, third] = place.tenant.archivedContentIds as [string, string, string];
  await recorder.call('Basic', place, first, { authorization: await basicOf(place) });
  await recorder.call('Bearer', place, second, { authorization: await bearerOf(place, 'api/write') });
  await recorder.call('token that may only read', place, third, {
    authorization: await bearerOf(place, 'api/read'),
  });

  await failContent(place, { status: 401, times: 1 });
  await recorder.call('token that is replaced', place, third, { authorization: await basicOf(place) });
  const { accessToken } = await recorder.system.secret<TokenValue>(tokenArn(place, 'api/write'));
  recorder.add('token after the refused one', accessToken);
}

async function callersWithMisplacedCredentials(recorder: CanaryRecorder): Promise<void> {
  const place = recorder.placeIn();
  const authorization = await basicOf(place);
  const contentId = place.tenant.archivedContentIds[3]!;
  const call = (name: string, request: (value: string) => RestoreCall, alphabet?: Alphabet) =>
    recorder.call(name, place, contentId, { authorization, ...request(recorder.plant(name, alphabet)) });

  await call('wrong API key', (value) => ({ authorization: basic(place.tenant, value) }));
  await call('wrong token', (value) => ({ authorization: `Bearer ${value}` }), 'token');
  await call('key of an unknown scheme', (value) => ({ authorization: `ApiKey ${value}` }), 'ascii');
  await call('session as authorRef', (value) => ({ body: { authorRef: `Bearer ${value}` } }), 'ascii');
  await call('key as collaborationId', (value) => ({ body: { collaborationId: value } }));
  await call('secret as field name', (value) => ({ body: { authorRef: 'a', [value]: 'b' } }));
  await call('secret in broken JSON', (value) => ({ body: `${value}{` }));
  await call('secret as content type', (value) => ({ contentType: value }), 'ascii');

  const query = recorder.plant('token in the query', 'token');
  const url = `${restoreUrl(place, contentId)}?access_token=${query}`;
  recorder.answered(
    'token in the query',
    await recorder.system.send('POST', url, { headers: { authorization, 'x-api-key': query } }),
  );
  const rejectedTokenSha256 = recorder.plant('token instead of its digest', 'token');
  await recorder.ensure('token instead of its digest', place, { rejectedTokenSha256 });
}

async function platformThatTellsCredentials(recorder: CanaryRecorder): Promise<void> {
  const place = recorder.placeIn();
  const contentId = place.tenant.archivedContentIds[3]!;
  const authorization = await basicOf(place);
  const fail = async (name: string, fault: (value: string) => object, alphabet?: Alphabet) => {
    await failContent(place, { ...fault(recorder.plant(name, alphabet)), times: 1 });
    await recorder.call(name, place, contentId, { authorization });
  };

  await fail('secret in an error body', (value) => ({ status: 500, body: { message: value } }));
  await fail('secret in a refusal', (value) => ({ status: 422, body: { message: value } }));
  await fail('secret in HTML', (value) => ({ status: 200, body: value }));
  await fail('secret in a redirect', (value) => redirect(`https://127.0.0.1/?${value}`), 'token');
  await fail('secret in Retry-After', (value) => retryAfter(value), 'token');
  await fail('secret in a header', (value) => ({ status: 403, headers: { 'x-token': value } }), 'token');
  const record = { id: contentId, status: 'published', items: [] };
  await fail('secret beside a record', (value) => ({ status: 200, body: { ...record, token: value } }));
}

/** Uses one deployment or tenant per case, since token-refresh caches failures. */
async function tokenEndpointThatTellsCredentials(recorder: CanaryRecorder): Promise<void> {
  const fail = async (name: string, place: Place, fault: (value: string) => object, alphabet?: Alphabet) => {
    const match = { tenantId: place.tenant.tenantId };
    const value = recorder.plant(name, alphabet);
    await recorder.system.control('POST', '/faults', { target: 'token', match, ...fault(value) });
    await recorder.ensure(name, place, await refusing(place));
  };

  const error = (value: string) => ({ error: 'invalid_client', error_description: value });
  await fail('secret in a token refusal', recorder.placeIn('staging', 'global', 1), (value) => ({
    status: 400,
    body: error(value),
  }));
  await fail('secret in broken token JSON', recorder.placeIn('staging', 'mea'), (value) => ({
    status: 200,
    body: `${value}{`,
  }));
  const endless = (value: string) => ({ access_token: value, token_type: 'Bearer', expires_in: 'never' });
  const last = recorder.placeIn('production', 'global');
  await fail('token without expiry', last, (value) => ({ status: 200, body: endless(value) }), 'token');
}

async function secretsThatCannotBeRead(recorder: CanaryRecorder): Promise<void> {
  const place = recorder.placeIn('production', 'mea');
  const { system } = recorder;
  const { clientCredentialsArn, apiKeyArn, archivedContentIds } = place.tenant;
  const put = (SecretId: string, SecretString: string) =>
    system.operator.secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));

  const digest = await refusing(place);
  const clientSecret = recorder.plant('refused client secret');
  await put(clientCredentialsArn, JSON.stringify({ clientId: 'unknown', clientSecret }));
  await recorder.ensure('refused client secret', place, digest);
  await put(clientCredentialsArn, recorder.plant('malformed credentials'));
  await recorder.ensure('malformed credentials', place, digest);
  await put(apiKeyArn!, recorder.plant('malformed API key'));
  const call = { authorization: basic(place.tenant, 'any') };
  await recorder.call('malformed API key', place, archivedContentIds[0]!, call);
  recorder.answers.push({ place: 'answer to a sweep', text: JSON.stringify(await sweep(place)) });
}

/**
 * Puts the canary where it must be visible: into a path, which the access log records; into a record, which the answer
 * contains; into a content id, which everything that lists requests shows; and into a dead letter.
 */
async function plantedLeaks(recorder: CanaryRecorder): Promise<void> {
  const place = recorder.placeIn();
  const authorization = await basicOf(place);
  await recorder.call('leak in the path', place, encodeURIComponent(LEAK), { authorization });
  const contentId = place.tenant.archivedContentIds[4]!;
  const body = { id: contentId, status: 'published', items: [{ id: 'item', summary: LEAK }] };
  await failContent(place, { status: 200, body, times: 1 });
  await recorder.call('leak in a record', place, contentId, { authorization });
  const hexadecimal = Buffer.from(LEAK).toString('hex').slice(0, 24);
  await recorder.call('leak as a content id', place, hexadecimal, { authorization });
  const QueueUrl = await published(place, 'dead-letter-queue-url');
  const MessageBody = JSON.stringify({ requestPayload: LEAK });
  await recorder.system.administrator.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
}

const redirect = (location: string) => ({ status: 302, headers: { location } });
const retryAfter = (value: string) => ({ status: 429, headers: { 'retry-after': value } });

/** Reports the stored token as rejected, so that token-refresh requests another. */
async function refusing(place: Place): Promise<{ rejectedTokenSha256: string }> {
  const { accessToken } = await place.system.secret<TokenValue>(tokenArn(place, 'api/write'));
  return { rejectedTokenSha256: createHash('sha256').update(accessToken).digest('hex') };
}
