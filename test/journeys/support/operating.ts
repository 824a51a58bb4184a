import { randomUUID } from 'node:crypto';

import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
} from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { type FindingKind } from '../../../core/findings/finding-kinds';
import { type Finding } from '../../../core/findings/finding';
import { documentOf } from './command';
import { issue, type Place, proveKey } from './journeys';
import { OperatedTenant } from './operated-tenant';

/** In seconds. */
export const DAY_SEC = 86_400;

/** Runs the command for the tenant, for steps that are not code blocks of the page. */
export function command(place: Place, words: string[], input?: object) {
  return new OperatedTenant(place).run(words.join(' '), input && { input: JSON.stringify(input) });
}

/** The kinds of all findings of `doctor`. */
export async function findings(place: Place): Promise<FindingKind[]> {
  const { deployments, findings } = documentOf<{ deployments: { error?: object }[]; findings: Finding[] }>(
    await command(place, ['doctor', '--json']),
  );
  expect(deployments.map(({ error }) => error)).toEqual([undefined]);
  return findings.map(({ kind }) => kind);
}

export function openSession(place: Place): Promise<object> {
  return new OperatedTenant(place).newSession();
}

/** Loads a platform key that expires earlier than the sandbox's keys usually do. */
export async function loadKeyForDays(place: Place, days: number): Promise<void> {
  const key = await issue(place, 'api-keys');
  const validUntil = new Date(Date.now() + days * DAY_SEC * 1000).toISOString();
  await place.system.putSecret(place.system.administrator, place.tenant.apiKeyArn!, { ...key, validUntil });
  await proveKey(place);
}

/** The platform answers uselessly rather than not at all, since an outage would be retried for seconds. */
export async function takePlatformDown(place: Place): Promise<void> {
  for (const target of ['token', 'content'] as const)
    await new OperatedTenant(place).fail(target, { status: 404 });
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
