import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, dirname, join } from 'node:path';

import {
  DeleteSecretCommand,
  RestoreSecretCommand,
  RotateSecretCommand,
} from '@aws-sdk/client-secrets-manager';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenValue } from '../../../core/secrets/secret-values';
import { DEPLOYMENT_KEYS } from './assembly';
import { ensure, issue, load, type Place, placeOf, sweep, tokenArn } from './journeys';
import { descendants, startedWith } from './processes';
import { bringPlatformUp, rotateTo, takePlatformDown } from './operating';
import { basicOf, callRestore, failContent } from './restore-calls';
import { type RunningSystem } from './running-system';
import { JOURNEYS } from './user-journeys';

/** token-refresh caches a failure for a minute. */
const FORGOTTEN_SEC = 61;

/** Accepts connections in place of an endpoint, but does not speak TLS. */
export class Impostor {
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<Impostor> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Impostor(server);
  }

  stop(): void {
    this.server.close();
  }

  /**
   * Becomes a token endpoint of staging global. Changes the files from which its functions learn addresses, because the host
   * gives all of them the sandbox's, and ends those that have read them.
   */
  takeOver({ process: { stateDir, pid: hostPid } }: RunningSystem): void {
    const { port } = this.server.address() as { port: number };
    const files = readdirSync(stateDir, { recursive: true, encoding: 'utf8' })
      .filter((file) => basename(file) === 'deployment.json')
      .map((file) => join(stateDir, file));
    const changed = new Set<string | undefined>();
    for (const file of files) {
      const deployment = JSON.parse(readFileSync(file, 'utf8')) as DeploymentFile;
      if (deployment.environment !== 'staging' || deployment.platformRegion !== 'global') continue;
      deployment.platform.webhooksTokenBaseUrl = `https://127.0.0.1:${port}/auth`;
      writeFileSync(file, JSON.stringify(deployment));
      changed.add(dirname(file));
    }
    for (const pid of descendants(hostPid)) {
      if (changed.has(startedWith(pid).environment.LAMBDA_TASK_ROOT)) process.kill(pid, 'SIGKILL');
    }
  }
}

/** Succeeds and fails at everything once, so that every function writes every metric. */
export async function causeEveryMetric(system: RunningSystem): Promise<void> {
  const places = DEPLOYMENT_KEYS.map(([environment, platformRegion]) =>
    placeOf(system, environment, platformRegion),
  );
  const [global, mea, live, offline] = places as [Place, Place, Place, Place];
  /** This tenant gets no webhooks token, since that endpoint is the impostor. */
  const second = { ...global, tenant: global.deployment.tenants[1]! };
  for (const place of [...places, second]) await load(place);
  await Promise.all(places.map(sweep));

  await renewalsThatThePlatformRefuses(live);
  await renewalsThatTheStoreRefuses(mea);
  await restores(global, places);
  await rotations([second, mea, live, offline]);
  for (const place of places) {
    await JOURNEYS['credential-watch writes its log'](place);
    await JOURNEYS['a failed watch leaves a dead letter'](place);
  }
}

async function renewalsThatThePlatformRefuses(place: Place): Promise<void> {
  const { system, tenant } = place;
  const match = { tenantId: tenant.tenantId };
  for (const fault of [
    { status: 302, headers: { location: 'https://127.0.0.1/' } },
    { status: 400, body: { error: 'invalid_scope' } },
    { status: 503, headers: { 'retry-after': '60' } },
  ]) {
    await system.control('POST', '/faults', { target: 'token', match, ...fault });
    await renew(place, false);
    await system.control('DELETE', '/faults');
    await system.advance(FORGOTTEN_SEC);
  }
  const short = { access_token: 'short-lived', token_type: 'Bearer', expires_in: 600 };
  await system.control('POST', '/faults', { target: 'token', match, status: 200, body: short });
  await renew(place, true);
  await sweep(place);
  await system.control('DELETE', '/faults');
  // The sweep then replaces the tokens of the previous credential.
  await load(place);
  const refusal = { status: 401, body: { error: 'invalid_client' } };
  await system.control('POST', '/faults', { target: 'token', match, ...refusal });
  await sweep(place);
  await system.control('DELETE', '/faults');
}

async function renewalsThatTheStoreRefuses(place: Place): Promise<void> {
  const { system, tenant } = place;
  for (const error of ['AccessDeniedException', 'InvalidRequestException', 'InvalidParameterException']) {
    await system.failSecrets('PutSecretValue', error, `${tenant.tenantId}/token/`, 1);
    await renew(place, false);
    await system.advance(FORGOTTEN_SEC);
  }
  await system.putSecret(system.administrator, tenant.clientCredentialsArn, { something: 'else' });
  // The former credentials obtain the token, and the fault counts.
  await renew(place, true);
  await system.advance(FORGOTTEN_SEC);
  await load(place);
}

async function restores(place: Place, places: readonly Place[]): Promise<void> {
  const statuses: number[] = [];
  const restore = async (at: Place, contentId = at.tenant.archivedContentIds[0]!) => {
    statuses.push((await callRestore(at, contentId, { authorization: await basicOf(at) })).status);
  };
  // The function has not cached the token yet, so it must read it.
  const SecretId = tokenArn(place, 'api/write');
  const { secrets } = place.system.administrator;
  await secrets.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }));
  await restore(place);
  await secrets.send(new RestoreSecretCommand({ SecretId }));
  await place.system.advance(FORGOTTEN_SEC);
  for (const each of places) await restore(each);
  await restore(place, 'none');
  for (const status of [502, 500]) {
    await failContent(place, { status, times: 1 });
    await restore(place, place.tenant.archivedContentIds[1]);
  }
  expect(statuses).toEqual([502, 200, 200, 200, 501, 404, 502, 500]);
}

/** One rotation per outcome. */
async function rotations([good, untested, refused, other]: [Place, Place, Place, Place]): Promise<void> {
  const { system } = good;
  await JOURNEYS['a rotation promotes the candidate'](good);
  await takePlatformDown(untested);
  await rotateTo(untested, untested.tenant.clientCredentialsArn, await issue(untested, 'credentials'));
  await bringPlatformUp(untested);
  const unknown = { clientId: 'unknown', clientSecret: 'wrong' };
  await rotateTo(refused, refused.tenant.clientCredentialsArn, unknown);

  const SecretId = other.tenant.clientCredentialsArn;
  const { VersionId } = await system.operator.secrets.send(new RotateSecretCommand({ SecretId }));
  await system.advance(5);
  await system.process.printed(new RegExp(`${VersionId} is no longer pending`));

  const { apiKeyArn } = other.tenant;
  const attempts = 3;
  await system.failSecrets('UpdateSecretVersionStage', 'AccessDeniedException', apiKeyArn, attempts);
  await rotateTo(other, apiKeyArn, await issue(other, 'api-keys'));
}

/** Reports the stored token as rejected, so that token-refresh asks for another. */
async function renew(place: Place, succeeds: boolean): Promise<void> {
  const { accessToken } = await place.system.secret<TokenValue>(tokenArn(place, 'api/read'));
  const rejectedTokenSha256 = createHash('sha256').update(accessToken).digest('hex');
  expect(await ensure(place, 'api/read', { rejectedTokenSha256 })).toMatchObject({ ok: succeeds });
}
