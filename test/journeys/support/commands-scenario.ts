import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  type ApiKeyValue,
  type ClientCredentialsValue,
  type TokenValue,
} from '../../../core/secrets/secret-values';
import { type CanaryRecorder, LEAK } from './canary-recorder';
import { tokenArn } from './journeys';
import { OperatedTenant } from './operated-tenant';

/** Runs commands that get or show credentials, with tenants in parallel. */
export async function runCommands(recorder: CanaryRecorder): Promise<void> {
  await Promise.all([
    credentialsOnInput(recorder),
    generatedKeys(recorder),
    credentialsAtTerminals(recorder),
    leaks(recorder),
  ]);
}

/** Valid client credentials, whose secret is a canary. */
async function newPair(recorder: CanaryRecorder, name: string, tenant: OperatedTenant) {
  const pair = await tenant.newPair();
  recorder.add(name, pair.clientSecret);
  return pair;
}

async function newKey(recorder: CanaryRecorder, name: string, tenant: OperatedTenant): Promise<ApiKeyValue> {
  const key = await tenant.newKey();
  recorder.add(name, key.apiKey);
  return key;
}

async function credentialsOnInput(recorder: CanaryRecorder): Promise<void> {
  const tenant = new OperatedTenant(recorder.placeIn('staging', 'global', 1));
  const { place } = tenant;
  const run = (words: string, input?: object, more = '') =>
    recorder.run(words, [...`${words} ${more}`.trim().split(' '), ...tenant.flags], {
      ...(input && { input: JSON.stringify(input) }),
    });

  await run('credentials put', await newPair(recorder, 'first pair', tenant));
  await run('api-key put', await newKey(recorder, 'first key', tenant), '--json');
  await run('credentials put --revoke-previous', await newPair(recorder, 'second pair', tenant), '--json');
  const slow = await newKey(recorder, 'key that lags', tenant);
  await tenant.fail('content', { status: 401, body: { message: `no such key ${slow.apiKey}` }, times: 1 });
  await run('api-key put --replace', slow);
  await run('rollback --kind api-key --yes');
  const clientSecret = recorder.plant('echoed in a refusal');
  const body = { error: 'invalid_client', error_description: clientSecret };
  await tenant.fail('token', { status: 400, body, times: 1 });
  await run('credentials put --replace', { clientId: 'unknown', clientSecret });

  const reveal = ['token', 'show', '--interface', 'content', '--scope', 'api/write', '--reveal'];
  await recorder.run('token show --reveal at a terminal', [...reveal, ...tenant.flags], { answers: [] });
  const token = await recorder.system.secret<TokenValue>(tokenArn(place, 'api/write'));
  recorder.add('revealed token', token.accessToken);
  writeFileSync(join(recorder.folder, 'work/ids.txt'), place.tenant.archivedContentIds.join('\n'));
  await run('restore --from ids.txt', undefined, `--author-ref ${place.tenant.authorRefs[0]!} --json`);
}

async function generatedKeys(recorder: CanaryRecorder): Promise<void> {
  const tenant = new OperatedTenant(recorder.placeIn('staging', 'mea'));
  const args = ['api-key', 'generate', ...tenant.flags];
  const newSession = async (name: string) => {
    const session = await tenant.newSession();
    recorder.add(`authorization of ${name}`, session.authorization.replace('Bearer ', ''));
    recorder.add(`correlation id of ${name}`, session.correlationId);
    return session;
  };
  const addCurrent = async (name: string) =>
    recorder.add(name, (await tenant.current<ApiKeyValue>('api-key')).apiKey);

  const input = JSON.stringify(await newSession('generate'));
  await recorder.run('generate', [...args, '--json'], { input });
  await addCurrent('generated key');
  const session = await newSession('session at a terminal');
  await recorder.run('generate at a terminal', args, {
    answers: [
      { after: /Authorization.*hidden/, type: `${session.authorization}\r` },
      { after: /Correlation-Id.*hidden/, type: `${session.correlationId}\r` },
    ],
  });
  await addCurrent('key generated at a terminal');
}

async function credentialsAtTerminals(recorder: CanaryRecorder): Promise<void> {
  const tenant = new OperatedTenant(recorder.placeIn('production', 'global'));
  const put = ['credentials', 'put', ...tenant.flags];
  const typing = ({ clientId, clientSecret }: ClientCredentialsValue, end: string) => [
    { after: /Client id/, type: `${clientId}\r` },
    { after: /Client secret/, type: `${clientSecret}${end}` },
  ];

  const answers = typing(await newPair(recorder, 'pair at a terminal', tenant), '\r');
  await recorder.run('put at a terminal', put, { answers });
  const clientSecret = recorder.plant('secret that was being typed', 'token');
  const interrupted = typing({ clientId: 'unknown', clientSecret }, '\u0003');
  await recorder.run('Ctrl-C in the prompt', put, { answers: interrupted });
}

/** Runs a program in place of the command, which leaks its input on purpose. */
async function leaks(recorder: CanaryRecorder): Promise<void> {
  const options = { program: join(__dirname, 'leaking-command.cjs'), input: LEAK };
  for (const way of ['argv', 'env', 'title', 'temp-file', 'working-folder', 'results', 'stdout', 'stderr'])
    await recorder.run(`leak by ${way}`, [way], options);
}
