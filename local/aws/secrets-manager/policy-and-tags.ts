import { isJsonObject } from '../../../contract/json-object';
import { type PolicyDocument, type PolicyStatement } from '../../account';
import { policyDocument } from '../../iam/policy-document';
import { AwsError } from '../aws-error';
import { type Input } from '../input';
import { type Operation } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';

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
    const policy = parsePolicy(text);
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

/** @see API_TagResource */
export const tagResource: Operation = {
  parameters: ['SecretId', 'Tags'],
  run(input, call) {
    const tags = readTags(input);
    const secret = openSecret(input, call, 'TagResource', {
      'aws:TagKeys': Object.keys(tags),
      ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
    });
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
    for (const key of keys) delete secret.tags[key];
    return {};
  },
};

function parsePolicy(text: string): PolicyDocument {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new AwsError('MalformedPolicyDocumentException', 'This resource policy is not JSON.', {
      cause: error,
    });
  }
  const policy = policyDocument.safeParse(parsed);
  if (policy.success) return policy.data;
  throw new AwsError(
    'MalformedPolicyDocumentException',
    'This resource policy is not a valid policy document.',
  );
}

function statementsOf({ Statement }: PolicyDocument): PolicyStatement[] {
  return Array.isArray(Statement) ? Statement : [Statement];
}

/** Whether a statement allows everybody without a condition. AWS analyzes the whole policy. */
function isPublic({ Effect, Principal, Condition }: PolicyStatement): boolean {
  if (Effect !== 'Allow' || Condition !== undefined) return false;
  return Principal === '*' || (isJsonObject(Principal) && [Principal.AWS].flat().includes('*'));
}

function readTags(input: Input): Record<string, string> {
  const tags = input.optionalInputs('Tags') ?? [];
  return Object.fromEntries(
    tags.map((tag) => [tag.text('Key', { max: 128 }), tag.optionalText('Value', { min: 0, max: 256 }) ?? '']),
  );
}
