import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteFunctionCommand,
  GetFunctionConfigurationCommand,
  InvokeCommand,
} from '@aws-sdk/client-lambda';
import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  RotateSecretCommand,
} from '@aws-sdk/client-secrets-manager';

import { DEPLOYMENT_ALARMS } from '../../../core/alarms/alarm-rows';
import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { type DeploymentSnapshot, type SecretFailure } from '../../../core/deployment/deployment-snapshot';
import { type TokenValue } from '../../../core/secrets/secret-values';
import {
  archived,
  basic,
  deadLetters,
  ensure,
  issue,
  load,
  loadWithTokens,
  type Place,
  proveKey,
  published,
  sweep,
  tokenArn,
} from './journeys';
import { readAlarms } from './alarms';
import { DAY_SEC, leavePending, nowMs } from './operating';
import { basicOf, bearerOf, callRestore } from './restore-calls';
import { setSchedule } from './schedules';

type FunctionName = keyof typeof FUNCTION_PARAMETERS;

const FUNCTION_PARAMETERS = {
  tokenRefresh: 'token-refresh-arn',
  tokenSweep: 'token-sweep-arn',
  restore: 'restore-arn',
  authorizer: 'authorizer-arn',
  rotateCredentials: 'rotate-credentials-arn',
  credentialWatch: 'credential-watch-arn',
} as const;

async function logGroupOf(place: Place, name: FunctionName): Promise<string> {
  const { LoggingConfig } = await place.system.administrator.lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName: await published(place, FUNCTION_PARAMETERS[name]) }),
  );
  return LoggingConfig!.LogGroup!;
}

/** @throws with the last lines of both functions' logs */
async function expectRestored(place: Place, authorization: string): Promise<void> {
  const { status } = await callRestore(place, await archived(place), { authorization });
  if (status === 200) return;
  const lastLines = async (name: FunctionName) =>
    (await place.system.logLines(await logGroupOf(place, name))).slice(-8).join('\n');
  throw new Error(`answered ${status}:\n${await lastLines('authorizer')}\n${await lastLines('restore')}`);
}

/** Sends an asynchronous event to a busy function, and lets it become too old. */
async function outdatedEvent(place: Place, name: 'tokenRefresh' | 'tokenSweep'): Promise<void> {
  const { system, deployment, tenant } = place;
  // With new credentials the sweep replaces all tokens, so it asks the platform in any case.
  await load(place);
  const event = name === 'tokenSweep' ? { action: 'sweep' } : await ensureEvent(place);
  await system.control('POST', '/faults', {
    target: 'token',
    match: { tenantId: tenant.tenantId },
    delayMs: 1500,
    times: 1,
  });
  const FunctionName = deployment.functions[name]!;
  const busy = system.invoke(system.operator, FunctionName, event);
  // The first event is being processed once the platform gets a request.
  await Promise.race([
    tokenRequested(place),
    busy.then(() => Promise.reject(new Error('no token was requested'))),
  ]);
  await system.operator.lambda.send(
    new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: Buffer.from(JSON.stringify(event)) }),
  );
  await system.advance(301);
  await busy;
}

/** An `ensure` event that reports the stored token, if there is one, as rejected. */
async function ensureEvent(place: Place): Promise<object> {
  const event = {
    action: 'ensure',
    tenantId: place.tenant.tenantId,
    interface: 'content',
    scope: 'api/read',
  };
  const stored = await place.system.secret<TokenValue>(tokenArn(place, 'api/read')).catch(() => undefined);
  if (stored === undefined) return event;
  return { ...event, rejectedTokenSha256: createHash('sha256').update(stored.accessToken).digest('hex') };
}

/** A poll is a request over TLS, so this takes seconds. */
const MAX_FAULT_POLLS = 2_000;

/** Waits until the sandbox delays a token request of the tenant, which uses up the one delaying fault. */
async function tokenRequested({ system, tenant }: Place): Promise<void> {
  for (let poll = 0; poll < MAX_FAULT_POLLS; poll += 1) {
    const { faults } = await system.control<{ faults: { match?: { tenantId?: string } }[] }>(
      'GET',
      '/faults',
    );
    if (!faults.some(({ match }) => match?.tenantId === tenant.tenantId)) return;
  }
  throw new Error('the platform was not asked for a token');
}

/** Covers three attempts of a rotation, seconds apart. */
const MAX_LABEL_POLLS = 300;

/** Stages other credentials, rotates to them, and waits until they are current. */
async function rotate(place: Place): Promise<void> {
  const { system, tenant } = place;
  await load(place);
  const { secrets } = system.administrator;
  const SecretId = tenant.clientCredentialsArn;
  const { VersionId } = await secrets.send(
    new PutSecretValueCommand({
      SecretId,
      SecretString: JSON.stringify(await issue(place, 'credentials')),
      VersionStages: [CANDIDATE_LABEL],
    }),
  );
  await secrets.send(new RotateSecretCommand({ SecretId }));
  for (let poll = 0; poll < MAX_LABEL_POLLS; poll += 1) {
    const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
    if (VersionIdsToStages[VersionId!]?.includes(CANDIDATE_LABEL) !== true) return;
    if (system.process.output.includes(`${tenant.tenantId}/client-credentials after`)) break;
    await setTimeout(50);
  }
  throw new Error(`nothing was promoted:\n${system.process.output}`);
}

/** Deletes a secret at once, as with its stack. */
async function deleteSecret({ system }: Place, SecretId: string): Promise<void> {
  const command = new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true });
  await system.administrator.secrets.send(command).catch((error: Error) => {
    if (error.name !== 'ResourceNotFoundException') throw error;
  });
}

/** @throws unless a failure says that the secret does not exist */
function expectGone(failure = 'it did not fail'): void {
  if (!failure.includes('ResourceNotFoundException')) throw new Error(failure);
}

/** Has credential-watch report on the tenant, as an operator. */
async function report({ system, deployment, tenant }: Place): Promise<DeploymentSnapshot> {
  const snapshot = await system.invoke<DeploymentSnapshot>(
    system.operator,
    deployment.functions.credentialWatch!,
    { action: 'report', tenantIds: [tenant.tenantId] },
  );
  const looks = snapshot.tenants.flatMap(({ credentials, tokens }) => [...credentials, ...tokens]);
  const denied = looks.filter(
    (look): look is typeof look & Extract<SecretFailure, { access: 'denied' }> => look.access === 'denied',
  );
  if (denied.length > 0)
    throw new Error(denied.map(({ action, resource }) => `${action} on ${resource}`).join('\n'));
  return snapshot;
}

/**
 * What users of the toolkit do; each journey needs the permissions of at least one statement. Throws with
 * the reason on failure.
 */
export const JOURNEYS = {
  'an operator loads credentials': async (place: Place) => {
    const { system, tenant } = place;
    await system.putSecret(system.operator, tenant.clientCredentialsArn, await issue(place, 'credentials'));
    await system.putSecret(system.operator, tenant.apiKeyArn!, await issue(place, 'api-keys'));
  },

  'a token is fetched on request': async (place: Place) => {
    await load(place);
    const answer = await ensure(place, 'api/read');
    if (!answer.ok) throw new Error(answer.error.message);
    await place.system.secret<TokenValue>(answer.arn);
  },

  'a sweep fetches every token': async (place: Place) => {
    await load(place);
    const { tenants } = await sweep(place);
    const { tokens } = tenants.find(({ tenantId }) => tenantId === place.tenant.tenantId)!;
    const failures = tokens.filter(({ outcome }) => outcome !== 'refreshed' && outcome !== 'fresh');
    if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n'));
  },

  'the schedule starts a sweep': async (place: Place) => {
    const { system } = place;
    await load(place);
    await system.advance(300);
    const letters = await deadLetters(place);
    if (letters.length > 0) throw new Error(JSON.stringify(letters));
    await system.secret<TokenValue>(tokenArn(place, 'api/read')).catch((error: Error) => {
      throw new Error(`no token was fetched: ${error.message}\n${system.process.output}`);
    });
  },

  'an event that token-refresh could not take in time leaves a dead letter': async (place: Place) => {
    await outdatedEvent(place, 'tokenRefresh');
    await expectDeadLetter(place);
  },

  'a sweep that could not start in time leaves a dead letter': async (place: Place) => {
    await outdatedEvent(place, 'tokenSweep');
    await expectDeadLetter(place);
  },

  'token-refresh writes its log': async (place: Place) => {
    await load(place);
    await ensure(place, 'api/read');
    await expectLog(place, 'tokenRefresh', 'token renewed');
  },

  'token-sweep writes its log': async (place: Place) => {
    await sweep(place);
    await expectLog(place, 'tokenSweep', 'sweep ended');
  },

  'a caller with an API key restores a record': async (place: Place) => {
    await load(place);
    await expectRestored(place, await basicOf(place));
  },

  'a caller with a token restores a record': async (place: Place) => {
    await load(place);
    const fetched = await ensure(place, 'api/write');
    if (!fetched.ok) throw new Error(fetched.error.message);
    await expectRestored(place, await bearerOf(place, 'api/write'));
  },

  'restore writes its log': async (place: Place) => {
    await load(place);
    await callRestore(place, await archived(place), { authorization: await basicOf(place) });
    await expectLog(place, 'restore', 'restore answered');
  },

  'the authorizer writes its log': async (place: Place) => {
    await callRestore(place, await archived(place), { authorization: basic(place.tenant, 'wrong') });
    await expectLog(place, 'authorizer', 'caller refused');
  },

  'a rotation promotes the candidate': rotate,

  'rotate-credentials records that an API key is proven': async (place: Place) => {
    const { system, tenant } = place;
    await system.putSecret(system.administrator, tenant.apiKeyArn!, await issue(place, 'api-keys'));
    const { outcome, reason } = (await proveKey(place))!;
    if (outcome !== 'proven') throw new Error(`${outcome}: ${reason}`);
  },

  'the schedule has an API key proven': async (place: Place) => {
    const { system, tenant } = place;
    await system.putSecret(system.administrator, tenant.apiKeyArn!, await issue(place, 'api-keys'));
    await system.advance(300);
    const { status } = await callRestore(place, await archived(place), {
      authorization: await basicOf(place),
    });
    if (status !== 200) throw new Error(`answered ${status}:\n${system.process.output}`);
  },

  'rotate-credentials writes its log': async (place: Place) => {
    await rotate(place);
    await expectLog(place, 'rotateCredentials', 'rotation step done');
  },

  'an operator cancels the deletion of secrets': async (place: Place) => {
    const { administrator, operator } = place.system;
    for (const SecretId of [place.tenant.apiKeyArn, tokenArn(place, 'api/read')]) {
      await administrator.secrets.send(new DeleteSecretCommand({ SecretId }));
      await operator.secrets
        .send(new RestoreSecretCommand({ SecretId }))
        .finally(() => administrator.secrets.send(new RestoreSecretCommand({ SecretId })));
    }
  },

  'an operator shows a token': async (place: Place) => {
    await loadWithTokens(place);
    await place.system.operator.secrets.send(
      new GetSecretValueCommand({ SecretId: tokenArn(place, 'api/read') }),
    );
  },

  'an operator finds the functions': async (place: Place) => {
    await published(place, 'token-refresh-arn', place.system.run.operator);
  },

  'an operator reads the alarms': async (place: Place) => {
    const { size } = await readAlarms(place, place.system.run.operator);
    if (size < DEPLOYMENT_ALARMS.length) throw new Error(`an operator sees ${size} alarms`);
  },

  'an operator reads the history of restores': async (place: Place) => {
    const logGroupName = await published(place, 'restore-log-group');
    await place.system.operator.logs.send(new FilterLogEventsCommand({ logGroupName }));
  },

  'an operator disables and enables a schedule': async (place: Place) => {
    for (const state of ['DISABLED', 'ENABLED'] as const) await setSchedule(place, 'token-sweep', state);
  },

  'an operator runs credential-watch': async (place: Place) => {
    await loadWithTokens(place);
    await report(place);
  },

  'credential-watch reads values together': async (place: Place) => {
    await loadWithTokens(place);
    await report(place);
    const { output } = place.system.process;
    if (output.includes('perform: secretsmanager:BatchGetSecretValue')) throw new Error(output);
  },

  'credential-watch learns whether the platform offers restore': async (place: Place) => {
    await loadWithTokens(place);
    const { restore } = await report(place);
    if (restore?.availability !== 'offered') throw new Error(`restore: ${restore?.reason}`);
  },

  'credential-watch writes its log': async (place: Place) => {
    const { system, deployment } = place;
    await system.invoke(system.operator, deployment.functions.credentialWatch!, { action: 'watch' });
    await expectLog(place, 'credentialWatch', 'WatchRun');
  },

  'a failed watch leaves a dead letter': (place: Place) =>
    expectDeadLetterOfFailure(place, 'credentialWatch'),

  'a failed proof of API keys leaves a dead letter': (place: Place) =>
    expectDeadLetterOfFailure(place, 'rotateCredentials'),

  'the schedule starts credential-watch': async (place: Place) => {
    await place.system.advance(6 * 60 * 60);
    await expectLog(place, 'credentialWatch', 'WatchRun');
  },

  'token-sweep ends an abandoned rotation': async (place: Place) => {
    const { system, tenant } = place;
    await leavePending(place, tenant.apiKeyArn!);
    const [checkSec, nowSec] = [6 * 3600, Math.floor((await nowMs(place)) / 1000)];
    await system.advance(DAY_SEC + checkSec - ((nowSec + DAY_SEC) % checkSec));
    await sweep(place);
    const { VersionIdsToStages = {} } = await system.administrator.secrets.send(
      new DescribeSecretCommand({ SecretId: tenant.apiKeyArn }),
    );
    if (!Object.values(VersionIdsToStages).flat().includes('AWSPENDING')) return;
    // The check may have been in the scheduled sweep before this one.
    throw new Error((await system.logLines(await logGroupOf(place, 'tokenSweep'))).slice(-30).join('\n'));
  },

  // The journeys from here delete something, so they are the last.
  'a request for a token whose secret is gone finds no missing permission': async (place: Place) => {
    await load(place);
    await deleteSecret(place, tokenArn(place, 'api/read'));
    const answer = await ensure(place, 'api/read');
    expectGone(answer.ok ? undefined : answer.error.message);
  },

  'a sweep of a token whose secret is gone finds no missing permission': async (place: Place) => {
    await load(place);
    await deleteSecret(place, tokenArn(place, 'api/read'));
    const { tenants } = await sweep(place);
    const { tokens } = tenants.find(({ tenantId }) => tenantId === place.tenant.tenantId)!;
    expectGone(tokens.find(({ scope }) => scope === 'api/read')?.message);
  },

  'the proof of an API key whose secret is gone finds no missing permission': async (place: Place) => {
    await deleteSecret(place, place.tenant.apiKeyArn!);
    const { outcome, reason } = (await proveKey(place))!;
    if (outcome !== 'not_loaded') throw new Error(`${outcome}: ${reason}`);
  },

  'a schedule that cannot start rotate-credentials leaves a dead letter': async (place: Place) => {
    await deleteFunction(place, 'rotateCredentials');
    await place.system.advance(900);
    await expectDeadLetter(place);
  },

  'a schedule that cannot start credential-watch leaves a dead letter': async (place: Place) => {
    await deleteFunction(place, 'credentialWatch');
    await place.system.advance(8 * 60 * 60);
    await expectDeadLetter(place);
  },

  'a schedule that cannot start token-sweep leaves a dead letter': async (place: Place) => {
    await deleteFunction(place, 'tokenSweep');
    await place.system.advance(900);
    await expectDeadLetter(place);
  },
} satisfies Record<string, (place: Place) => Promise<void>>;

export type JourneyName = keyof typeof JOURNEYS;

async function deleteFunction({ system, deployment }: Place, name: Exclude<FunctionName, 'authorizer'>) {
  const FunctionName = deployment.functions[name]!;
  await system.administrator.lambda.send(new DeleteFunctionCommand({ FunctionName }));
}

/** Starts a function with an event that it refuses, which Lambda then repeats twice. */
async function expectDeadLetterOfFailure(
  place: Place,
  name: 'credentialWatch' | 'rotateCredentials',
): Promise<void> {
  const { system, deployment } = place;
  await system.operator.lambda.send(
    new InvokeCommand({
      FunctionName: deployment.functions[name]!,
      InvocationType: 'Event',
      Payload: Buffer.from('{"action":"none"}'),
    }),
  );
  await system.advance(600);
  await expectDeadLetter(place);
}

async function expectDeadLetter(place: Place): Promise<void> {
  if ((await deadLetters(place)).length > 0) return;
  throw new Error(`no dead letter:\n${place.system.process.output}`);
}

async function expectLog(place: Place, name: FunctionName, text: string): Promise<void> {
  const group = await logGroupOf(place, name);
  const lines = await place.system.logLines(group);
  if (lines.some((line) => line.includes(text))) return;
  throw new Error(`no line "${text}" in ${group}:\n${place.system.process.output}`);
}
