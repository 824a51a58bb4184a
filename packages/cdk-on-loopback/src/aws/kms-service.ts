import { type Account, type Key, type PolicyDocument } from '../account';
import { requireAllowed } from '../iam/authorize';
import { AwsError } from './aws-error';
import { type Input } from './input';
import { type Call, epochSec, type Operations } from './operation';
import { pageOf } from './paging';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_WINDOW_DAYS = 30;

type KeyInAnyState = Key & {
  /** Set while the key is pending deletion. */
  deletionAtMs?: number;
};

export const KMS_OPERATIONS: Operations = {
  DescribeKey: {
    parameters: ['KeyId', 'GrantTokens'],
    run(input, call) {
      const key = findPermittedKey(keyIdIn(input), call, 'DescribeKey');
      return { KeyMetadata: metadata(call.account, key) };
    },
  },

  /** Makes the key unusable immediately. At the end of the window it is deleted, with its aliases. */
  ScheduleKeyDeletion: {
    parameters: ['KeyId', 'PendingWindowInDays'],
    run(input, call) {
      const days = input.optionalInteger('PendingWindowInDays', { min: 7, max: 30 }) ?? DEFAULT_WINDOW_DAYS;
      const key = findPermittedKey(keyIdIn(input), call, 'ScheduleKeyDeletion', {
        'kms:ScheduleKeyDeletionPendingWindowInDays': String(days),
      });
      if (key.deletionAtMs !== undefined)
        throw new AwsError('KMSInvalidStateException', `${key.arn} is pending deletion.`);
      const deletionAtMs = call.clock.nowMs() + days * DAY_MS;
      scheduleDeletion(call.account, key, deletionAtMs);
      return {
        KeyId: key.arn,
        DeletionDate: epochSec(deletionAtMs),
        KeyState: 'PendingDeletion',
        PendingWindowInDays: days,
      };
    },
  },

  /** Requires permission for the alias and for its key. */
  DeleteAlias: {
    parameters: ['AliasName'],
    run(input, call) {
      const { account } = call;
      const name = input.text('AliasName', { max: 256 });
      requireAllowed(call, {
        action: 'kms:DeleteAlias',
        resource: account.kmsArn(name),
        // An alias has no policy of its own: identity policies decide.
        resourcePolicy: delegationTo(account),
      });
      findPermittedKey(name, call, 'DeleteAlias');
      account.keyAliases.delete(name);
      return {};
    },
  },

  ListAliases: {
    parameters: ['KeyId', 'Limit', 'Marker'],
    run(input, call) {
      const { account } = call;
      const resourcePolicy = delegationTo(account);
      requireAllowed(call, { action: 'kms:ListAliases', resource: '*', resourcePolicy });
      removeExpiredKeys(call);
      const targetKeyArn = input.has('KeyId') ? findKey(account, input.text('KeyId')).arn : undefined;
      const aliases = [...account.keyAliases]
        .filter(([, keyArn]) => targetKeyArn === undefined || keyArn === targetKeyArn)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const size = input.optionalInteger('Limit', { min: 1, max: 100 }) ?? 50;
      const page = pageOf(aliases, size, input.optionalText('Marker'), 'InvalidMarkerException');
      return {
        Aliases: page.items.map(([name, keyArn]) => ({
          AliasName: name,
          AliasArn: account.kmsArn(name),
          TargetKeyId: idOf(keyArn),
        })),
        NextMarker: page.nextToken,
        Truncated: page.nextToken !== undefined,
      };
    },
  },
};

/** Makes a key unusable until it is deleted. */
export function scheduleDeletion(account: Account, key: Key, deletionAtMs: number): void {
  account.keys.delete(key.arn);
  account.keysInDeletion.set(key.arn, { ...key, deletionAtMs });
}

function keyIdIn(input: Input): string {
  return input.text('KeyId', { max: 2048 });
}

/** Finds a key, and requires that the key policy and the caller's policies allow the action. @throws {AwsError} */
function findPermittedKey(
  keyId: string,
  call: Call,
  action: string,
  context: Record<string, string> = {},
): KeyInAnyState {
  removeExpiredKeys(call);
  const { account } = call;
  const key = findKey(account, keyId);
  // https://docs.aws.amazon.com/kms/latest/developerguide/tag-authorization.html
  const tags = Object.entries(account.tags.get(key.arn) ?? {});
  requireAllowed(call, {
    action: `kms:${action}`,
    resource: key.arn,
    resourcePolicy: key.policy,
    context: {
      'kms:CallerAccount': account.accountId,
      ...Object.fromEntries(tags.map(([name, value]) => [`aws:ResourceTag/${name}`, value])),
      ...context,
    },
  });
  return key;
}

/** Finds a key by id, ARN, alias name or alias ARN. @throws {AwsError} NotFoundException */
function findKey(account: Account, keyId: string): KeyInAnyState {
  const arn = account.kmsKeyArn(keyId);
  if (arn === undefined)
    throw new AwsError('NotFoundException', `Alias ${account.kmsArn(keyId)} is not found.`);
  const key = account.keys.get(arn) ?? account.keysInDeletion.get(arn);
  if (key) return key;
  throw new AwsError('NotFoundException', `Key '${arn}' does not exist`);
}

/** A key policy for operations without a key: it leaves the decision to identity policies. */
function delegationTo({ accountId }: Account): PolicyDocument {
  const Principal = { AWS: `arn:aws:iam::${accountId}:root` };
  return { Statement: { Effect: 'Allow', Principal, Action: 'kms:*', Resource: '*' } };
}

function removeExpiredKeys({ account, clock }: Call): void {
  for (const [arn, { deletionAtMs }] of account.keysInDeletion) {
    if (clock.nowMs() < deletionAtMs) continue;
    account.keysInDeletion.delete(arn);
    for (const [alias, target] of account.keyAliases) if (target === arn) account.keyAliases.delete(alias);
  }
}

function metadata({ accountId }: Account, { arn, deletionAtMs }: KeyInAnyState): object {
  const isInUse = deletionAtMs === undefined;
  return {
    AWSAccountId: accountId,
    Arn: arn,
    KeyId: idOf(arn),
    Enabled: isInUse,
    KeyState: isInUse ? 'Enabled' : 'PendingDeletion',
    DeletionDate: epochSec(deletionAtMs),
    KeyManager: 'CUSTOMER',
    KeySpec: 'SYMMETRIC_DEFAULT',
    CustomerMasterKeySpec: 'SYMMETRIC_DEFAULT',
    EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'],
    KeyUsage: 'ENCRYPT_DECRYPT',
    MultiRegion: false,
    Origin: 'AWS_KMS',
  };
}

function idOf(keyArn: string): string {
  return keyArn.slice(keyArn.indexOf('/') + 1);
}
