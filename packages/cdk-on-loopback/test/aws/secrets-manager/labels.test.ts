import {
  InvalidParameterException,
  InvalidRequestException,
  ResourceNotFoundException,
  UpdateSecretVersionStageCommand,
  type UpdateSecretVersionStageCommandInput,
} from '@aws-sdk/client-secrets-manager';
import { type Secret } from '../../../src/account';
import { LocalAws, refusalOf } from '../../../src/testing/local-aws';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const START = { [A]: ['AWSCURRENT'], [B]: ['AWSPENDING'], [C]: ['AWSPREVIOUS'] };

// API_UpdateSecretVersionStage
let aws: LocalAws;
let secret: Secret;

beforeEach(async () => {
  aws = new LocalAws();
  secret = aws.addSecret('s');
  for (const [versionId, labels] of Object.entries(START)) aws.addVersion(secret, versionId, 'x', labels);
  await aws.start();
});
afterEach(() => aws.stop());

const update = (part: Partial<UpdateSecretVersionStageCommandInput>) =>
  aws
    .secretsManager()
    .send(new UpdateSecretVersionStageCommand({ SecretId: 's', VersionStage: 'AWSCURRENT', ...part }));
const stages = () =>
  Object.fromEntries([...secret.versions].map(([id, version]) => [id, [...version.stages].sort()]));

it.each<[string, Partial<UpdateSecretVersionStageCommandInput>, Record<string, string[]>]>([
  [
    'attaches a label that no version has',
    { VersionStage: 'NEW', MoveToVersionId: A },
    { [A]: ['AWSCURRENT', 'NEW'] },
  ],
  [
    'removes a label from the version that has it',
    { VersionStage: 'AWSPENDING', RemoveFromVersionId: B },
    { [B]: [] },
  ],
  [
    'moves another label without touching AWSPREVIOUS',
    { VersionStage: 'AWSPENDING', RemoveFromVersionId: B, MoveToVersionId: A },
    { [A]: ['AWSCURRENT', 'AWSPENDING'], [B]: [] },
  ],
  ['does nothing if the label is already there', { MoveToVersionId: A }, {}],
])('%s', async (_, input, changed) => {
  await update(input);

  expect(stages()).toEqual({ ...START, ...changed });
});

type Refusal = typeof InvalidParameterException | typeof ResourceNotFoundException;
it.each<[string, Partial<UpdateSecretVersionStageCommandInput>, Refusal]>([
  [
    'a move from a version that does not have the label',
    { RemoveFromVersionId: C, MoveToVersionId: B },
    InvalidParameterException,
  ],
  [
    'a move of an unattached label from a version',
    { VersionStage: 'NEW', RemoveFromVersionId: A, MoveToVersionId: B },
    InvalidParameterException,
  ],
  [
    'a removal from a version that does not have the label',
    { VersionStage: 'AWSPENDING', RemoveFromVersionId: A },
    InvalidParameterException,
  ],
  ['a request without versions', {}, InvalidParameterException],
  [
    'a version that does not exist',
    { RemoveFromVersionId: A, MoveToVersionId: 'x'.repeat(32) },
    ResourceNotFoundException,
  ],
])('refuses %s, and changes nothing', async (_, part, type) => {
  expect(await refusalOf(update(part))).toBeInstanceOf(type);
  expect(stages()).toEqual(START);
});

it('refuses to make a version without a value AWSCURRENT', async () => {
  aws.addVersion(secret, B, undefined, ['AWSPENDING']);

  const refusal = await refusalOf(update({ RemoveFromVersionId: A, MoveToVersionId: B }));

  expect(refusal).toBeInstanceOf(InvalidRequestException);
});

it('lets one of two callers win that saw the label on the same version', async () => {
  const outcomes = await Promise.allSettled([
    update({ RemoveFromVersionId: A, MoveToVersionId: B }),
    update({ RemoveFromVersionId: A, MoveToVersionId: C }),
  ]);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
