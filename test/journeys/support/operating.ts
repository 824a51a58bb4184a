import { randomUUID } from 'node:crypto';

import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
} from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { type FindingKind } from '../../../core/findings/finding-kinds';
import { type Finding } from '../../../core/findings/finding';
import { tenantKeyOf } from '../../../core/tokens/token-key';
import { placeFlags } from '../../../core/commands/place-flags';
import { documentOf, latchkey } from './command';
import { issue, type Place, proveKey } from './journeys';

/** In seconds. */
export const DAY_SEC = 86_400;

/** Runs the command for the tenant, for steps that are not code blocks of the page. */
export function command({ system, deployment, tenant }: Place, words: string[], input?: object) {
  const flags = placeFlags(tenantKeyOf(deployment, tenant.tenantId)).split(' ');
  return latchkey(system, [...words, ...flags], input && { input: JSON.stringify(input) });
}

/** The kinds of all findings of `doctor`. */
export async function findings(place: Place): Promise<FindingKind[]> {
  const { deployments, findings } = documentOf<{ deployments: { error?: object }[]; findings: Finding[] }>(
    await command(place, ['doctor', '--json']),
  );
  expect(deployments.map(({ error }) => error)).toEqual([undefined]);
  return findings.map(({ kind }) => kind);
}

export function openSession({ system, deployment, tenant }: Place): Promise<object> {
  const { environment, platformRegion } = deployment;
  return system.control('POST', '/sessions', { environment, platformRegion, tenantId: tenant.tenantId });
}

/** Loads a platform key that expires earlier than the sandbox's keys usually do. */
export async function loadKeyForDays(place: Place, days: number): Promise<void> {
  const key = await issue(place, 'api-keys');
  const validUntil = new Date(Date.now() + days * DAY_SEC * 1000).toISOString();
  await place.system.putSecret(place.system.administrator, place.tenant.apiKeyArn!, { ...key, validUntil });
  await proveKey(place);
}

/** The platform answers uselessly rather than not at all, since an outage would be retried for seconds. */
export async function takePlatformDown({ system, deployment, tenant }: Place): Promise<void> {
  const { environment, platformRegion } = deployment;
  const match = { environment, platformRegion, tenantId: tenant.tenantId };
  for (const target of ['token', 'content']) {
    await system.control('POST', '/faults', { target, match, status: 404 });
  }
}

export function bringPlatformUp({ system }: Place): Promise<unknown> {
  return system.control('DELETE', '/faults');
}

/** Stages a value and starts a rotation without proving the value first; waits until all attempts have failed. */
export async function rotateTo({ system }: Place, arn: string, value: object): Promise<void> {
  const { secrets } = system.operator;
  const state = await secrets.send(new DescribeSecretCommand({ SecretId: arn }));
  const staged = Object.entries(state.VersionIdsToStages ?? {});
  expect(staged.filter(([, labels]) => labels.includes(CANDIDATE_LABEL))).toEqual([]);
  await secrets.send(
    new PutSecretValueCommand({
      SecretId: arn,
      ClientRequestToken: randomUUID(),
      SecretString: JSON.stringify(value),
      VersionStages: [CANDIDATE_LABEL],
    }),
  );
  const { VersionId } = await secrets.send(new RotateSecretCommand({ SecretId: arn }));
  // Secrets Manager retries after some seconds.
  await system.advance(5);
  await system.process.printed(new RegExp(`${VersionId} stays pending`));
}

/** Leaves AWSPENDING on an empty version: a rotation without a candidate, which cannot remove its label. */
export async function leavePending({ system }: Place, SecretId: string): Promise<void> {
  const attempts = 3;
  await system.failSecrets('UpdateSecretVersionStage', 'AccessDeniedException', SecretId, attempts);
  const { VersionId } = await system.operator.secrets.send(new RotateSecretCommand({ SecretId }));
  await system.advance(5);
  await system.process.printed(new RegExp(`${VersionId} stays pending`));
}

/** The time by the system's clock, in ms since the epoch. */
export async function nowMs(place: Place): Promise<number> {
  const answer = await command(place, ['status', '--json']);
  const { deployments } = documentOf<{ deployments: { takenAt: string }[] }>(answer);
  return Date.parse(deployments[0]!.takenAt);
}

/** Seconds until the rotation schedule runs: 08:00 UTC on the first day of a quarter. */
export async function secondsToNextQuarter(place: Place): Promise<number> {
  const now = new Date(await nowMs(place));
  const month = Math.floor(now.getUTCMonth() / 3) * 3 + 3;
  return Math.ceil((Date.UTC(now.getUTCFullYear(), month, 1, 8) - now.getTime()) / 1000);
}
