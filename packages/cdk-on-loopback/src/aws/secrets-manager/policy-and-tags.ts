import { isJsonObject } from '../../json-object';
import { type Account, type PolicyDocument, type PolicyStatement } from '../../account';
import { parsePolicyDocument } from '../../iam/policy-document';
import { AwsError } from '../aws-error';
import { type Operation } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';
import { readTags, tagContext } from './tags';

const MAX_POLICY_CHARACTERS = 20_480;
const MAX_TAGS = 50;

/** @see API_GetResourcePolicy */
export const getResourcePolicy: Operation = {
  parameters: ['SecretId'],
  run(input, call) {
    const secret = openSecret(input, call, 'GetResourcePolicy');
    requireNotDeleted(secret);
    const policy = secret.resourcePolicy && JSON.stringify(secret.resourcePolicy);
    return { ARN: secret.arn, Name: secret.name, ResourcePolicy: policy };
  },
};

/** @see API_PutResourcePolicy */
export const putResourcePolicy: Operation = {
  parameters: ['SecretId', 'ResourcePolicy', 'BlockPublicPolicy'],
  run(input, call) {
    const text = input.text('ResourcePolicy', { max: MAX_POLICY_CHARACTERS });
    const blocksPublic = input.optionalBoolean('BlockPublicPolicy') ?? false;
    const secret = openSecret(input, call, 'PutResourcePolicy', {
      'secretsmanager:BlockPublicPolicy': String(blocksPublic),
    });
    requireNotDeleted(secret);
    const policy = parsePolicyDocument(text, 'secret', 'MalformedPolicyDocumentException');
    requireRoles(call.account, policy);
    if (blocksPublic && statementsOf(policy).some(isPublic)) {
      throw new AwsError(
        'PublicPolicyException',
        'You set BlockPublicPolicy to true, and the resource policy grants broad access to the secret.',
      );
    }
    secret.resourcePolicy = policy;
    return { ARN: secret.arn, Name: secret.name };
  },
};

/** @see API_DeleteResourcePolicy */
export const deleteResourcePolicy: Operation = {
  parameters: ['SecretId'],
  run(input, call) {
    const secret = openSecret(input, call, 'DeleteResourcePolicy');
    requireNotDeleted(secret);
    delete secret.resourcePolicy;
    return { ARN: secret.arn, Name: secret.name };
  },
};

/** @see API_TagResource */
export const tagResource: Operation = {
  parameters: ['SecretId', 'Tags'],
  run(input, call) {
    const tags = readTags(input);
    const secret = openSecret(input, call, 'TagResource', tagContext(tags));
    requireNotDeleted(secret);
    const all = { ...secret.tags, ...tags };
    if (Object.keys(all).length > MAX_TAGS) {
      throw new AwsError('InvalidParameterException', `A secret can have ${MAX_TAGS} tags.`);
    }
    secret.tags = all;
    return {};
  },
};

/** @see API_UntagResource */
export const untagResource: Operation = {
  parameters: ['SecretId', 'TagKeys'],
  run(input, call) {
    const keys = input.optionalTexts('TagKeys') ?? [];
    const secret = openSecret(input, call, 'UntagResource', { 'aws:TagKeys': keys });
    requireNotDeleted(secret);
    if (Object.keys(secret.tags).length > 0) secret.hadTags = true;
    for (const key of keys) delete secret.tags[key];
    return {};
  },
};

/**
 * Requires that the roles of this account exist that a policy names as principals.
 * @throws {AwsError} MalformedPolicyDocumentException
 */
function requireRoles({ accountId, roles }: Account, policy: PolicyDocument): void {
  const named = statementsOf(policy).flatMap(({ Principal }) =>
    isJsonObject(Principal) ? [Principal.AWS].flat() : [],
  );
  const isMissing = (arn = '') => arn.startsWith(`arn:aws:iam::${accountId}:role/`) && !roles.has(arn);
  if (!named.some(isMissing)) return;
  throw new AwsError(
    'MalformedPolicyDocumentException',
    'This resource policy contains an unsupported principal.',
  );
}

function statementsOf({ Statement }: PolicyDocument): PolicyStatement[] {
  return Array.isArray(Statement) ? Statement : [Statement];
}

const FIXED_SOURCES = ['aws:sourcearn', 'aws:sourcevpc', 'aws:sourcevpce', 'aws:sourceaccount'];

/**
 * Whether a statement allows everybody, but for conditions on where the request comes from. AWS analyzes the whole policy; its
 * list of conditions is taken by its word, so a policy that is accepted here is accepted there.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_secret-policy.html
 */
export function isPublic({ Effect, Principal, Condition = {} }: PolicyStatement): boolean {
  const keys = Object.values(Condition).flatMap((values) => Object.keys(values));
  if (Effect !== 'Allow' || keys.some((key) => FIXED_SOURCES.includes(key.toLowerCase()))) return false;
  return Principal === '*' || (isJsonObject(Principal) && [Principal.AWS].flat().includes('*'));
}
