import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  alreadyExists,
  arnOf,
  description,
  irrelevant,
  notFound,
  only,
  type ResourceContext,
  resourceType,
  stateOf,
  tags,
  wholeNumber,
} from '../resource-type';
import { scheduleDeletion } from '../../aws/kms-service';
import { policyDocumentOf } from '../../iam/policy-document';

const DAY_MS = 24 * 60 * 60 * 1000;

export const kmsKey = resourceType(
  z.strictObject({
    KeyPolicy: policyDocumentOf('key'),
    Description: description,
    Enabled: only(true),
    EnableKeyRotation: irrelevant('AWS replaces key material unseen; nothing is encrypted here'),
    RotationPeriodInDays: irrelevant('see EnableKeyRotation'),
    PendingWindowInDays: wholeNumber.default(30),
    KeySpec: only('SYMMETRIC_DEFAULT'),
    KeyUsage: only('ENCRYPT_DECRYPT'),
    MultiRegion: only(false),
    Tags: tags,
  }),
  ({ KeyPolicy }, context) => {
    const keyId = randomUUID();
    const arn = arnOf(context, 'kms', `key/${keyId}`);
    context.account.keys.set(arn, { arn, policy: KeyPolicy });
    return { ref: keyId, attributes: { Arn: arn, KeyId: keyId } };
  },
  {
    update: ({ KeyPolicy }, context, { attributes }) => {
      stateOf(context.account.keys, attributes.Arn, context).policy = KeyPolicy;
    },
    delete: ({ attributes, properties: { PendingWindowInDays } }, { account, nowMs }) => {
      const key = account.keys.get(attributes.Arn!);
      if (key) scheduleDeletion(account, key, nowMs + PendingWindowInDays * DAY_MS);
    },
  },
);

export const kmsAlias = resourceType(
  z.strictObject({ AliasName: z.string().startsWith('alias/'), TargetKeyId: z.string() }),
  ({ AliasName, TargetKeyId }, context) => {
    if (context.account.keyAliases.has(AliasName))
      throw alreadyExists(context, `${AliasName} already exists`);
    context.account.keyAliases.set(AliasName, keyArn(TargetKeyId, context));
    return { ref: AliasName, attributes: {} };
  },
  {
    replacedBy: ['AliasName'],
    delete: ({ ref }, { account }) => void account.keyAliases.delete(ref),
  },
);

/**
 * Finds a key by ARN, id or alias.
 * @returns its ARN
 * @throws {TemplateError} if the account has no such key
 */
export function keyArn(name: string, context: ResourceContext): string {
  const { account } = context;
  const key = account.keys.get(account.kmsKeyArn(name) ?? '');
  if (!key) throw notFound(context, `the account has no KMS key ${name}`);
  return key.arn;
}
