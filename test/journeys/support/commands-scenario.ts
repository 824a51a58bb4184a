import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type ApiKeyValue, type ClientCredentialsValue } from '../../../core/secrets/secret-values';
import { type CanaryRecorder, LEAK } from './canary-recorder';
import { type Place } from './place';

/** Runs commands that get or show credentials, with tenants in parallel. */
export async function runCommands(recorder: CanaryRecorder): Promise<void> {
  const { system } = recorder;
  await Promise.all([
    credentialsOnInput(recorder, system.place('staging', 'global', 1)),
    generatedKeys(recorder, system.place('staging', 'mea')),
    credentialsAtTerminals(recorder, system.place('production', 'global')),
    leaks(recorder),
  ]);
}

/** Valid client credentials, whose secret is a canary. */
async function newPair(
  recorder: CanaryRecorder,
  name: string,
  place: Place,
): Promise<ClientCredentialsValue> {
  const pair = await place.newPair();
  recorder.add(name, pair.clientSecret);
  return pair;
}

async function newKey(recorder: CanaryRecorder, name: string, place: Place): Promise<ApiKeyValue> {
  const key = await place.newKey();
  recorder.add(name, key.apiKey);
  return key;
}

async function credentialsOnInput(recorder: CanaryRecorder, place: Place): Promise<void> {
  const run = (words: string, input?: object, exitCode = 0) =>
    recorder.run(words, exitCode, [...words.split(' '), ...place.flags], { input });

  await run('credentials put', await newPair(recorder, 'first pair', place));
  await run('api-key put --json', await newKey(recorder, 'first key', place));
  await run('credentials put --revoke-previous --json', await newPair(recorder, 'second pair', place));
  const slow = await newKey(recorder, 'key that lags', place);
  await place.fail('content', { status: 401, body: { message: `no such key ${slow.apiKey}` }, times: 1 });
  await run('api-key put --replace', slow);
  await run('rollback --kind api-key --yes');
  const clientSecret = recorder.plant('echoed in a refusal');
  const body = { error: 'invalid_client', error_description: clientSecret };
  await place.fail('token', { status: 400, body, times: 1 });
  await run('credentials put --replace', { clientId: 'unknown', clientSecret }, 77);

  const reveal = ['token', 'show', '--interface', 'content', '--scope', 'api/write', '--reveal'];
  await recorder.run('token show --reveal at a terminal', 0, [...reveal, ...place.flags], { answers: [] });
  recorder.add('revealed token', (await place.token('api/write')).accessToken);
  writeFileSync(join(recorder.folder, 'work/ids.txt'), place.tenant.archivedContentIds.join('\n'));
  await run(`restore --from ids.txt --author-ref ${place.tenant.authorRefs[0]!} --json`);
}

async function generatedKeys(recorder: CanaryRecorder, place: Place): Promise<void> {
  const args = ['api-key', 'generate', ...place.flags];
  const newSession = async (name: string) => {
    const session = await place.newSession();
    recorder.add(`authorization of ${name}`, session.authorization.replace('Bearer ', ''));
    recorder.add(`correlation id of ${name}`, session.correlationId);
    return session;
  };

  await recorder.run('generate', 0, [...args, '--json'], { input: await newSession('generate') });
  recorder.add('generated key', (await place.apiKey()).apiKey);
  const session = await newSession('session at a terminal');
  await recorder.run('generate at a terminal', 0, args, {
    answers: [
      { after: /Authorization.*hidden/, type: `${session.authorization}\r` },
      { after: /Correlation-Id.*hidden/, type: `${session.correlationId}\r` },
    ],
  });
  recorder.add('key generated at a terminal', (await place.apiKey()).apiKey);
}

async function credentialsAtTerminals(recorder: CanaryRecorder, place: Place): Promise<void> {
  const put = ['credentials', 'put', ...place.flags];
  const typing = ({ clientId, clientSecret }: ClientCredentialsValue, end: string) => [
    { after: /Client id/, type: `${clientId}\r` },
    { after: /Client secret/, type: `${clientSecret}${end}` },
  ];

  const answers = typing(await newPair(recorder, 'pair at a terminal', place), '\r');
  await recorder.run('put at a terminal', 0, put, { answers });
  const clientSecret = recorder.plant('secret that was being typed', 'token');
  const interrupted = typing({ clientId: 'unknown', clientSecret }, '\u0003');
  await recorder.run('Ctrl-C in the prompt', 130, put, { answers: interrupted });
}

/** Runs a program in place of the command, which leaks its input on purpose. */
async function leaks(recorder: CanaryRecorder): Promise<void> {
  const options = { program: join(__dirname, 'leaking-command.cjs'), input: LEAK };
  for (const way of ['argv', 'env', 'title', 'temp-file', 'working-folder', 'results', 'stdout', 'stderr'])
    await recorder.run(`leak by ${way}`, 0, [way], options);
}
