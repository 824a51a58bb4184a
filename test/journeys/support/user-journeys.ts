import { FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DeleteFunctionCommand, GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import {
  DeleteSecretCommand,
  GetSecretValueCommand,
  RestoreSecretCommand,
} from '@aws-sdk/client-secrets-manager';

import { DEPLOYMENT_ALARMS } from '../../../core/alarms/alarm-rows';
import { type DeploymentSnapshot } from '../../../core/deployment/deployment-snapshot';
import { type Place } from './place';

type FunctionName =
  'authorizer' | 'credential-watch' | 'restore' | 'rotate-credentials' | 'token-refresh' | 'token-sweep';
type Journey = (place: Place) => Promise<void>;

const functionOf = (place: Place, name: FunctionName) => place.parameter(`${name}-arn`);

async function logOf(place: Place, name: FunctionName): Promise<string[]> {
  const { lambda, logs } = place.system.administrator;
  const command = new GetFunctionConfigurationCommand({ FunctionName: await functionOf(place, name) });
  const { LoggingConfig } = await lambda.send(command);
  const { events = [] } = await logs.send(
    new FilterLogEventsCommand({ logGroupName: LoggingConfig!.LogGroup }),
  );
  return events.map(({ message = '' }) => message);
}

/** A journey after which the function's log has a line with the text. */
const logs =
  (name: FunctionName, text: string, journey: (place: Place) => Promise<unknown>): Journey =>
  async (place) => {
    await journey(place);
    const lines = await logOf(place, name);
    if (!lines.some((line) => line.includes(text)))
      throw new Error(`no "${text}" in the log of ${name}:\n${place.system.process.output}`);
  };

/** A journey after which there is a dead letter. */
const leavesDeadLetter =
  (journey: Journey): Journey =>
  async (place) => {
    await journey(place);
    if ((await place.deadLetters()).length === 0)
      throw new Error(`no dead letter:\n${place.system.process.output}`);
  };

/** Sends an asynchronous event to a busy function, and lets it become too old. */
const outdatedEvent = (name: 'token-refresh' | 'token-sweep') =>
  leavesDeadLetter(async (place) => {
    const { system, tenant } = place;
    await place.loadWithTokens();
    const token = { tenantId: tenant.tenantId, interface: 'content', scope: 'api/read' };
    const ensure = { action: 'ensure', ...token, ...(await place.rejected('api/read')) };
    const event = name === 'token-sweep' ? { action: 'sweep' } : ensure;
    // With these, the sweep replaces all tokens.
    await place.loadPair();
    const arn = await functionOf(place, name);
    await place.fail('token', { delayMs: 1500, times: 1 });
    const busy = system.invoke(arn, event);
    // The first event is being processed once the platform gets a request.
    await Promise.race([system.faultsUsed(), busy.then(() => Promise.reject(new Error('no request')))]);
    await system.queue(arn, event);
    await system.advance(301);
    await busy;
  });

/** Sends a function an event that it refuses, which Lambda then repeats twice. */
const refusedEvent = (name: FunctionName) =>
  leavesDeadLetter(async (place) => {
    await place.system.queue(await functionOf(place, name), { action: 'none' });
    await place.system.advance(600);
  });

/** Deletes a function, and waits until its schedule has given up starting it. */
const scheduleWithoutFunction = (name: FunctionName, seconds: number) =>
  leavesDeadLetter(async (place) => {
    const FunctionName = await functionOf(place, name);
    await place.system.administrator.lambda.send(new DeleteFunctionCommand({ FunctionName }));
    await place.system.advance(seconds);
  });

async function tokensSwept(place: Place) {
  const { tenants } = await place.sweep();
  return tenants.find(({ tenantId }) => tenantId === place.tenant.tenantId)!.tokens;
}

/** @throws with the last lines of both functions' logs */
async function restores(place: Place, authorization: string): Promise<void> {
  const [contentId] = await place.archivedContents();
  const { status } = await place.restore(contentId!, { authorization });
  if (status === 200) return;
  const lines = [
    ...(await logOf(place, 'authorizer')).slice(-8),
    ...(await logOf(place, 'restore')).slice(-8),
  ];
  throw new Error(`answered ${status}:\n${lines.join('\n')}`);
}

async function rotates(place: Place): Promise<void> {
  await place.load();
  const pair = await place.newPair();
  await place.rotate(place.tenant.clientCredentialsArn, pair);
  if ((await place.pair()).clientId === pair.clientId) return;
  throw new Error((await place.system.process.printed(/gave up rotating.*/))[0]);
}

/** Has credential-watch report on the tenant, as an operator. */
async function reports(place: Place): Promise<DeploymentSnapshot> {
  await place.loadWithTokens();
  const { credentialWatch } = place.deployment.functions;
  const event = { action: 'report', tenantIds: [place.tenant.tenantId] };
  const snapshot = await place.system.invoke<DeploymentSnapshot>(credentialWatch!, event);
  const denied = snapshot.tenants
    .flatMap(({ credentials, tokens }) => [...credentials, ...tokens])
    .flatMap((secret) => (secret.access === 'denied' ? `${secret.action} on ${secret.resource}` : []));
  if (denied.length > 0) throw new Error(denied.join('\n'));
  return snapshot;
}

/** Deletes a secret at once, as with its stack. */
async function deleteSecret({ system }: Place, SecretId: string): Promise<void> {
  const command = new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true });
  await system.administrator.secrets.send(command);
}

/** @throws unless a failure says that the secret does not exist */
function expectGone(failure = 'it did not fail'): void {
  if (!failure.includes('ResourceNotFoundException')) throw new Error(failure);
}

/**
 * What users of the toolkit do; each journey needs the permissions of at least one statement. Throws with
 * the reason on failure.
 */
export const JOURNEYS = {
  'an operator loads credentials': async (place) => {
    const { system, tenant } = place;
    await system.putSecret(tenant.clientCredentialsArn, await place.newPair(), system.operator);
    await system.putSecret(tenant.apiKeyArn!, await place.newKey(), system.operator);
  },

  'a token is fetched on request': async (place) => {
    await place.load();
    const answer = await place.ensure('api/read');
    if (!answer.ok) throw new Error(answer.error.message);
    await place.system.secret(answer.arn);
  },

  'a sweep fetches every token': async (place) => {
    await place.load();
    const failed = (await tokensSwept(place)).filter(
      ({ outcome }) => !['fresh', 'refreshed'].includes(outcome),
    );
    if (failed.length > 0) throw new Error(failed.map(({ message }) => message).join('\n'));
  },

  'the schedule starts a sweep': async (place) => {
    await place.load();
    await place.system.advance(300);
    const letters = await place.deadLetters();
    if (letters.length > 0) throw new Error(JSON.stringify(letters));
    await place.token('api/read').catch(() => {
      throw new Error(`no token was fetched:\n${place.system.process.output}`);
    });
  },

  'an event that token-refresh could not take in time leaves a dead letter': outdatedEvent('token-refresh'),
  'a sweep that could not start in time leaves a dead letter': outdatedEvent('token-sweep'),

  'token-refresh writes its log': logs('token-refresh', 'token renewed', async (place) => {
    await place.load();
    await place.ensure('api/read');
  }),

  'token-sweep writes its log': logs('token-sweep', 'sweep ended', (place) => place.sweep()),

  'a caller with an API key restores a record': async (place) => {
    await place.load();
    await restores(place, await place.basic());
  },

  'a caller with a token restores a record': async (place) => {
    await place.load();
    const fetched = await place.ensure('api/write');
    if (!fetched.ok) throw new Error(fetched.error.message);
    await restores(place, await place.bearer('api/write'));
  },

  'restore writes its log': logs('restore', 'restore answered', async (place) => {
    await place.load();
    const [contentId] = await place.archivedContents();
    await place.restore(contentId!, { authorization: await place.basic() });
  }),

  'the authorizer writes its log': logs('authorizer', 'caller refused', async (place) =>
    place.restore(place.tenant.archivedContentIds[0]!, { authorization: await place.basic('wrong') }),
  ),

  'a rotation promotes the candidate': rotates,

  'rotate-credentials records that an API key is proven': async (place) => {
    await place.system.putSecret(place.tenant.apiKeyArn!, await place.newKey());
    const { outcome, reason } = await place.proveKey();
    if (outcome !== 'proven') throw new Error(`${outcome}: ${reason}`);
  },

  'the schedule has an API key proven': async (place) => {
    await place.system.putSecret(place.tenant.apiKeyArn!, await place.newKey());
    await place.system.advance(300);
    await restores(place, await place.basic()).catch(() => {
      throw new Error(`it does not open the restore API:\n${place.system.process.output}`);
    });
  },

  'rotate-credentials writes its log': logs('rotate-credentials', 'rotation step done', rotates),

  'an operator cancels the deletion of secrets': async (place) => {
    const { administrator, operator } = place.system;
    for (const SecretId of [place.tenant.apiKeyArn, place.tokenArn('api/read')]) {
      await administrator.secrets.send(new DeleteSecretCommand({ SecretId }));
      await operator.secrets
        .send(new RestoreSecretCommand({ SecretId }))
        .finally(() => administrator.secrets.send(new RestoreSecretCommand({ SecretId })));
    }
  },

  'an operator shows a token': async (place) => {
    await place.loadWithTokens();
    const SecretId = place.tokenArn('api/read');
    await place.system.operator.secrets.send(new GetSecretValueCommand({ SecretId }));
  },

  'an operator finds the functions': async (place) => {
    await place.parameter('token-refresh-arn', place.system.operator);
  },

  'an operator reads the alarms': async (place) => {
    const { size } = await place.alarms();
    if (size < DEPLOYMENT_ALARMS.length) throw new Error(`an operator sees ${size} alarms`);
  },

  'an operator reads the history of restores': async (place) => {
    const logGroupName = await place.parameter('restore-log-group');
    await place.system.operator.logs.send(new FilterLogEventsCommand({ logGroupName }));
  },

  'an operator disables and enables a schedule': async (place) => {
    for (const state of ['DISABLED', 'ENABLED'] as const) await place.setSchedule(state);
  },

  'an operator runs credential-watch': async (place) => {
    await reports(place);
  },

  'credential-watch reads values together': async (place) => {
    await reports(place);
    const { output } = place.system.process;
    if (output.includes('perform: secretsmanager:BatchGetSecretValue')) throw new Error(output);
  },

  'credential-watch learns whether the platform offers restore': async (place) => {
    const { restore } = await reports(place);
    if (restore?.availability !== 'offered') throw new Error(`restore: ${restore?.reason}`);
  },

  'credential-watch writes its log': logs('credential-watch', 'WatchRun', ({ system, deployment }) =>
    system.invoke(deployment.functions.credentialWatch!, { action: 'watch' }),
  ),

  'a failed watch leaves a dead letter': refusedEvent('credential-watch'),
  'a failed proof of API keys leaves a dead letter': refusedEvent('rotate-credentials'),

  'the schedule starts credential-watch': logs('credential-watch', 'WatchRun', ({ system }) =>
    system.advance(6 * 60 * 60),
  ),

  'token-sweep ends an abandoned rotation': async (place) => {
    const { system, tenant } = place;
    await place.leavePending(tenant.apiKeyArn!);
    const [daySec, checkSec, nowSec] = [86_400, 6 * 3600, Math.floor(system.nowMs / 1000)];
    await system.advance(daySec + checkSec - ((nowSec + daySec) % checkSec));
    await place.sweep();
    const labels = await place.labels('api-key');
    // The check may have been in the scheduled sweep before this one.
    if (labels.includes('AWSPENDING'))
      throw new Error((await logOf(place, 'token-sweep')).slice(-30).join('\n'));
  },

  // The journeys from here delete something, so they are the last.
  'a request for a token whose secret is gone finds no missing permission': async (place) => {
    await place.load();
    await deleteSecret(place, place.tokenArn('api/read'));
    const answer = await place.ensure('api/read');
    expectGone(answer.ok ? undefined : answer.error.message);
  },

  'a sweep of a token whose secret is gone finds no missing permission': async (place) => {
    await place.load();
    await deleteSecret(place, place.tokenArn('api/write'));
    expectGone((await tokensSwept(place)).find(({ scope }) => scope === 'api/write')?.message);
  },

  'the proof of an API key whose secret is gone finds no missing permission': async (place) => {
    await deleteSecret(place, place.tenant.apiKeyArn!);
    const { outcome, reason } = await place.proveKey();
    if (outcome !== 'not_loaded') throw new Error(`${outcome}: ${reason}`);
  },

  'a schedule that cannot start rotate-credentials leaves a dead letter': scheduleWithoutFunction(
    'rotate-credentials',
    900,
  ),
  'a schedule that cannot start credential-watch leaves a dead letter': scheduleWithoutFunction(
    'credential-watch',
    8 * 60 * 60,
  ),
  'a schedule that cannot start token-sweep leaves a dead letter': scheduleWithoutFunction(
    'token-sweep',
    900,
  ),
} satisfies Record<string, Journey>;

export type JourneyName = keyof typeof JOURNEYS;
