import { isDeepStrictEqual } from 'node:util';
import { type Account, type Replica, type Secret, type SecretVersion } from '../../account';
import { authorize } from '../../iam/authorize';
import { type Principal, rootPrincipal } from '../../iam/principal';
import { invalidParameter } from '../aws-error';
import { type Call } from '../operation';
import { DEFAULT_KEY, mayDecrypt } from './key-access';
import { hasValue } from './secret-versions';

const REFUSED_ON_REPLICA =
  "Operation not permitted on a replica secret. Call must be made in primary secret's region.";
/** The texts of a failed replication are not documented; these say what the page about them says. */
const SAME_NAME = 'Replication failed: a secret with the same name exists in this region.';
const KEY_NOT_FOUND = 'Replication failed: the KMS key does not exist in this region.';
const NO_PERMISSION = 'Replication failed: no permissions available on the KMS key.';

/** How long a change takes to arrive. AWS promises no time. */
const LAG_MS = 1000;

/** Runs an operation of Secrets Manager, and replicates what it has changed. */
export function withReplicas<Answer>(
  { account: { home }, clock, principal }: Pick<Call, 'account' | 'clock' | 'principal'>,
  run: () => Answer,
): Answer {
  syncReplicas(home, clock.nowMs());
  const answer = run();
  syncReplicas(home, clock.nowMs(), principal);
  return answer;
}

/**
 * Queues changes of replicated secrets for their regions, and writes the copies that are due. It runs before and after each
 * request to Secrets Manager, which looks like replication in the background.
 * @param account in its home region
 * @param principal the caller of the request, on whose behalf Secrets Manager uses the keys
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/replicate-secrets.html
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/cross-account-replicate-permissions.html
 */
export function syncReplicas(account: Account, nowMs: number, principal?: Principal): void {
  for (const arn of account.secrets.replicated) {
    const secret = account.secrets.get(arn)!;
    for (const [region, replica] of secret.replicas ?? []) {
      if (isPromoted(account, secret, region)) secret.replicas!.delete(region);
      else {
        queueChange(account, secret, region, replica, nowMs, principal ?? rootPrincipal(account));
        writeDueCopies(account, region, replica, nowMs);
      }
    }
  }
}

/**
 * Begins to replicate a secret to a region, or tries again.
 * @param account in the secret's region
 */
export function replicateTo(
  { secrets }: Account,
  secret: Secret,
  region: string,
  kmsKeyArn?: string,
  overwrites = false,
): void {
  secrets.replicated.add(secret.arn);
  secret.replicas ??= new Map();
  secret.replicas.set(region, { kmsKeyArn, overwrites, status: 'InProgress', pending: [] });
}

/** Ends the replication of a secret to a region, and removes the copy. */
export function stopReplicatingTo(account: Account, secret: Secret, region: string): void {
  secret.replicas?.delete(region);
  const copy = copyOf(account, secret, region);
  if (copy?.primaryRegion !== undefined) account.inRegion(region).secrets.delete(copy.arn);
}

/** What DescribeSecret says about replication; empty for a secret without replicas. */
export function replicationSummary({ region }: Account, { primaryRegion, replicas }: Secret): object {
  if (primaryRegion !== undefined) return { PrimaryRegion: primaryRegion };
  if (replicas === undefined || replicas.size === 0) return {};
  return { PrimaryRegion: region, ReplicationStatus: replicationStatus(replicas) };
}

export function replicationStatus(replicas: ReadonlyMap<string, Replica> = new Map()): object[] {
  return [...replicas].map(([Region, { kmsKeyArn, status, message }]) => ({
    Region,
    KmsKeyId: kmsKeyArn ?? `alias/${DEFAULT_KEY}`,
    Status: status,
    StatusMessage: message,
  }));
}

/**
 * @throws {AwsError} InvalidParameterException if the secret is a replica
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/standalone-secret.html
 * @see https://github.com/lgallard/terraform-aws-secrets-manager/issues/188 (the error)
 */
export function requirePrimary({ primaryRegion }: Secret): void {
  if (primaryRegion !== undefined) throw invalidParameter(REFUSED_ON_REPLICA);
}

function arnInRegion(arn: string, region: string): string {
  return arn.split(':').with(3, region).join(':');
}

function copyOf(account: Account, { arn }: Secret, region: string): Secret | undefined {
  return account.inRegion(region).secrets.get(arnInRegion(arn, region));
}

/** Whether the copy has become a secret of its own. */
function isPromoted(account: Account, secret: Secret, region: string): boolean {
  const copy = copyOf(account, secret, region);
  return copy !== undefined && copy.primaryRegion === undefined && !account.isCutOff(region);
}

/** Queues a copy of a secret that has changed, or fails its replication. */
function queueChange(
  account: Account,
  secret: Secret,
  region: string,
  replica: Replica,
  nowMs: number,
  principal: Principal,
): void {
  const state = stateOf(secret);
  if (isDeepStrictEqual(state, replica.lastState)) return;
  const hasNewValue = [...secret.versions.values()].some(
    (version) =>
      hasValue(version) &&
      !replica.lastState?.versions.some(([id, , had]) => had && id === version.versionId),
  );
  replica.lastState = state;
  const failure = failureOf(account, secret, region, replica, hasNewValue, principal);
  if (failure !== undefined) return failReplication(account, secret, region, replica, failure);
  replica.status = 'InProgress';
  replica.message = undefined;
  const copy: Secret = {
    ...copyWithKey(secret, replica.kmsKeyArn),
    arn: arnInRegion(secret.arn, region),
    createdAtMs: nowMs,
    lastChangedAtMs: nowMs,
    primaryRegion: account.region,
  };
  replica.pending.push({ dueMs: nowMs + LAG_MS, copy });
}

/** What replication copies of a secret, encrypted with a key of the replica's region. */
function copyWithKey(
  { name, description, tags, resourcePolicy, versions }: Secret,
  kmsKeyArn: string | undefined,
): Pick<Secret, 'name' | 'description' | 'kmsKeyArn' | 'tags' | 'resourcePolicy' | 'versions'> {
  const copies = [...versions].map(([id, version]): [string, SecretVersion] => [
    id,
    { ...version, stages: new Set(version.stages), keyIds: [kmsKeyArn ?? DEFAULT_KEY] },
  ]);
  return { name, description, kmsKeyArn, tags: { ...tags }, resourcePolicy, versions: new Map(copies) };
}

function writeDueCopies(account: Account, region: string, replica: Replica, nowMs: number): void {
  // Nothing leaves or reaches a region that is cut off.
  if (account.isCutOff(account.region) || account.isCutOff(region)) return;
  const { secrets } = account.inRegion(region);
  while (replica.pending[0] && replica.pending[0].dueMs <= nowMs) {
    const { copy } = replica.pending.shift()!;
    const former = secrets.get(copy.arn);
    secrets.delete(secrets.named(copy.name)?.arn ?? '');
    secrets.set(copy.arn, { ...copy, createdAtMs: former?.createdAtMs ?? copy.createdAtMs });
    replica.overwrites = false;
  }
  if (replica.pending.length === 0 && replica.status === 'InProgress') replica.status = 'InSync';
}

/** @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/replicate-secrets_troubleshoot.html */
function failureOf(
  account: Account,
  secret: Secret,
  region: string,
  { kmsKeyArn, overwrites }: Replica,
  hasNewValue: boolean,
  principal: Principal,
): string | undefined {
  const replicaAccount = account.inRegion(region);
  const namesake = replicaAccount.secrets.named(secret.name);
  if (!overwrites && namesake !== undefined && namesake.primaryRegion === undefined) return SAME_NAME;
  const values = [...secret.versions.values()].filter(hasValue);
  if (values.length === 0) return undefined;
  if (kmsKeyArn !== undefined && !replicaAccount.keys.has(kmsKeyArn)) return KEY_NOT_FOUND;
  if (!hasNewValue) return undefined;
  const mayReplicate =
    mayDecrypt({ account, principal }, secret, values.at(-1)!) &&
    (kmsKeyArn === undefined || mayEncrypt(replicaAccount, secret, kmsKeyArn, principal));
  return mayReplicate ? undefined : NO_PERMISSION;
}

function mayEncrypt(replicaAccount: Account, secret: Secret, keyArn: string, principal: Principal): boolean {
  return ['kms:GenerateDataKey', 'kms:Encrypt'].every(
    (action) =>
      authorize(replicaAccount, {
        principal,
        action,
        resource: keyArn,
        resourcePolicy: replicaAccount.keys.get(keyArn)?.policy,
        context: {
          'kms:ViaService': `secretsmanager.${replicaAccount.region}.amazonaws.com`,
          'kms:CallerAccount': replicaAccount.accountId,
          'kms:EncryptionContext:SecretARN': arnInRegion(secret.arn, replicaAccount.region),
        },
      }).allowed,
  );
}

/** Records a failure. A copy without any value is removed. */
function failReplication(
  account: Account,
  secret: Secret,
  region: string,
  replica: Replica,
  message: string,
): void {
  Object.assign(replica, { status: 'Failed', message, pending: [] });
  const copy = copyOf(account, secret, region);
  if (copy?.primaryRegion === undefined || [...copy.versions.values()].some(hasValue)) return;
  account.inRegion(region).secrets.delete(copy.arn);
}

/** What is replicated, without values. */
function stateOf(secret: Secret): NonNullable<Replica['lastState']> {
  const { description, tags, resourcePolicy, versions } = secret;
  return {
    description,
    tags: { ...tags },
    resourcePolicy,
    versions: [...versions.values()].map((version) => [
      version.versionId,
      [...version.stages].sort(),
      hasValue(version),
    ]),
  };
}
