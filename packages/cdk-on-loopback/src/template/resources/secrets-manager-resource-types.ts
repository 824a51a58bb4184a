import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Account, type PolicyStatement, type Secret, type SecretVersion } from '../../account';
import { changeKey } from '../../aws/secrets-manager/key-access';
import { replicateTo, stopReplicatingTo } from '../../aws/secrets-manager/replication';
import { rootPrincipal } from '../../iam/principal';
import { isJsonObject, parseJsonObject } from '../../json-object';
import { randomText } from '../../random-text';
import {
  alreadyExists,
  arnOf,
  invalidTemplate,
  irrelevant,
  notFound,
  notSupported,
  resourceType,
  stateOf,
  tags,
  wholeNumber,
} from '../resource-type';
import { policyDocumentOf } from '../../iam/policy-document';
import { keyArn } from './kms-resource-types';

/** @see AWS CloudFormation Template Reference, AWS::SecretsManager::Secret GenerateSecretString */
const generatedValue = z.strictObject({
  SecretStringTemplate: z
    .string()
    .transform(parseJsonObject)
    .refine((value) => value !== undefined, 'a JSON object')
    .optional(),
  GenerateStringKey: z.string().optional(),
  ExcludePunctuation: irrelevant('letters and digits are in every allowed alphabet'),
  PasswordLength: wholeNumber.pipe(z.number().min(4).max(4096)).default(32),
});

/** A replica that fails does not fail its stack: https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1459 */
const replicaRegions = z
  .array(z.strictObject({ Region: z.string(), KmsKeyId: z.string().optional() }))
  .default([]);
type ReplicaRegions = z.output<typeof replicaRegions>;

export const secret = resourceType(
  z.strictObject({
    Name: z.string().max(512).optional(),
    Description: z.string().optional(),
    KmsKeyId: z.string().optional(),
    SecretString: z.string().optional(),
    GenerateSecretString: generatedValue.optional(),
    ReplicaRegions: replicaRegions,
    Tags: tags,
  }),
  ({ Name, Description, KmsKeyId, SecretString, GenerateSecretString, ReplicaRegions, Tags }, context) => {
    const { account, nowMs, random, logicalId } = context;
    const name = Name ?? `${logicalId}-${random(12)}`;
    if (account.secrets.named(name) !== undefined) {
      throw alreadyExists(
        context,
        `Resource handler returned message: "The operation failed because the secret ${name} already exists. ` +
          `(Service: SecretsManager, Status Code: 400)" (HandlerErrorCode: AlreadyExists)`,
      );
    }
    const arn = arnOf(context, 'secretsmanager', `secret:${name}-${random(6)}`);
    const created: Secret = {
      arn,
      name,
      description: Description,
      kmsKeyArn: KmsKeyId && keyArn(KmsKeyId, context),
      tags: tagsOf(Tags),
      createdAtMs: nowMs,
      lastChangedAtMs: nowMs,
      versions: firstVersions(SecretString ?? generated(GenerateSecretString), nowMs),
    };
    account.secrets.set(arn, created);
    for (const { Region, KmsKeyId: key } of ReplicaRegions) replicateTo(account, created, Region, key);
    return { ref: arn, attributes: { Id: arn } };
  },
  {
    replacedBy: ['Name'],
    update: (
      { Description, KmsKeyId, SecretString, GenerateSecretString, ReplicaRegions, Tags },
      context,
      { ref, properties },
    ) => {
      const before = [properties.SecretString, properties.GenerateSecretString];
      if (!isDeepStrictEqual([SecretString, GenerateSecretString], before))
        throw notSupported(context, 'SecretString and GenerateSecretString cannot change here');
      const { account } = context;
      const existing = stateOf(account.secrets, ref, context);
      const kmsKeyArn = KmsKeyId && keyArn(KmsKeyId, context);
      if (kmsKeyArn !== existing.kmsKeyArn) {
        changeKey({ account, principal: rootPrincipal(account) }, existing, kmsKeyArn);
      }
      // Tags that others have added stay.
      for (const { Key } of properties.Tags) delete existing.tags[Key];
      Object.assign(existing.tags, tagsOf(Tags));
      changeReplicas(account, existing, properties.ReplicaRegions, ReplicaRegions);
      existing.description = Description;
      existing.lastChangedAtMs = context.nowMs;
    },
    // Without a recovery window, so that its name is free at once.
    delete: ({ ref }, { account }) => {
      const existing = account.secrets.get(ref);
      for (const region of existing?.replicas?.keys() ?? []) stopReplicatingTo(account, existing!, region);
      account.secrets.delete(ref);
    },
  },
);

/** Ends replication where the template no longer has it, and begins it where the template has it anew or with another key. */
function changeReplicas(
  account: Account,
  secret: Secret,
  before: ReplicaRegions,
  after: ReplicaRegions,
): void {
  const isIn = (list: ReplicaRegions, one: ReplicaRegions[number]) =>
    list.some((other) => isDeepStrictEqual(other, one));
  for (const replica of before) if (!isIn(after, replica)) stopReplicatingTo(account, secret, replica.Region);
  for (const replica of after)
    if (!isIn(before, replica)) replicateTo(account, secret, replica.Region, replica.KmsKeyId);
}

function generated(options: z.output<typeof generatedValue> | undefined): string | undefined {
  if (options === undefined) return undefined;
  const { PasswordLength: length, SecretStringTemplate: template, GenerateStringKey: key } = options;
  const text = randomText(length);
  if (template === undefined || key === undefined) return text;
  return JSON.stringify({ ...template, [key]: text });
}

function firstVersions(secretString: string | undefined, nowMs: number): Map<string, SecretVersion> {
  if (secretString === undefined) return new Map();
  const versionId = randomUUID();
  return new Map([
    [versionId, { versionId, createdAtMs: nowMs, secretString, stages: new Set(['AWSCURRENT']) }],
  ]);
}

function tagsOf(tags: { Key: string; Value: string }[]): Record<string, string> {
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));
}

export const secretResourcePolicy = resourceType(
  z.strictObject({
    SecretId: z.string(),
    ResourcePolicy: policyDocumentOf('secret'),
    BlockPublicPolicy: z.boolean().optional(),
  }),
  ({ SecretId, ResourcePolicy, BlockPublicPolicy }, context) => {
    const target = context.account.secrets.get(SecretId);
    if (!target) throw notFound(context, `the account has no secret ${SecretId}`);
    if (BlockPublicPolicy && [ResourcePolicy.Statement].flat().some(isPublic)) {
      throw invalidTemplate(
        context,
        `the resource policy grants broad access to ${target.name} (PublicPolicyException)`,
      );
    }
    target.resourcePolicy = ResourcePolicy;
    return { ref: SecretId, attributes: { Id: SecretId } };
  },
  {
    replacedBy: ['SecretId'],
    delete: ({ ref }, { account }) => {
      delete account.secrets.get(ref)?.resourcePolicy;
    },
  },
);

const FIXED_SOURCES = ['aws:sourcearn', 'aws:sourcevpc', 'aws:sourcevpce', 'aws:sourceaccount'];

/**
 * Whether a statement allows everybody without a condition on the request's source. AWS analyzes the whole policy; here any
 * condition on its list is enough.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_secret-policy.html
 */
function isPublic({ Effect, Principal, Condition = {} }: PolicyStatement): boolean {
  const keys = Object.values(Condition).flatMap((values) => Object.keys(values));
  if (Effect !== 'Allow' || keys.some((key) => FIXED_SOURCES.includes(key.toLowerCase()))) return false;
  return Principal === '*' || (isJsonObject(Principal) && [Principal.AWS].flat().includes('*'));
}
