import { InvalidRequestException, UpdateSecretVersionStageCommand } from '@aws-sdk/client-secrets-manager';
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

/** Moves a label from one version to another, or only attaches or removes it. */
interface Move {
  label?: string;
  from?: string;
  to?: string;
}
const update = ({ label = 'AWSCURRENT', from, to }: Move) => {
  const input = { SecretId: 's', VersionStage: label, RemoveFromVersionId: from, MoveToVersionId: to };
  return aws.secretsManager().send(new UpdateSecretVersionStageCommand(input));
};
const stages = () =>
  Object.fromEntries([...secret.versions].map(([id, version]) => [id, [...version.stages].sort()]));

it.each<[string, Move, Record<string, string[]>]>([
  ['attaches a label that no version has', { label: 'NEW', to: A }, { [A]: ['AWSCURRENT', 'NEW'] }],
  ['removes a label from the version that has it', { label: 'AWSPENDING', from: B }, { [B]: [] }],
  [
    'moves another label without touching AWSPREVIOUS',
    { label: 'AWSPENDING', from: B, to: A },
    { [A]: ['AWSCURRENT', 'AWSPENDING'], [B]: [] },
  ],
  ['does nothing if the label is already there', { to: A }, {}],
])('%s', async (_, move, changed) => {
  await update(move);

  expect(stages()).toEqual({ ...START, ...changed });
});

const INVALID = 'InvalidParameterException';
it.each<[string, Move, string]>([
  ['a move from a version that does not have the label', { from: C, to: B }, INVALID],
  ['a move of an unattached label from a version', { label: 'NEW', from: A, to: B }, INVALID],
  ['a removal from a version that does not have the label', { label: 'AWSPENDING', from: A }, INVALID],
  ['a request without versions', {}, INVALID],
  ['a version that does not exist', { from: A, to: 'x'.repeat(32) }, 'ResourceNotFoundException'],
])('refuses %s, and changes nothing', async (_, move, name) => {
  expect((await refusalOf(update(move))).name).toBe(name);
  expect(stages()).toEqual(START);
});

it('refuses to make a version without a value AWSCURRENT', async () => {
  aws.addVersion(secret, B, undefined, ['AWSPENDING']);

  const refusal = await refusalOf(update({ from: A, to: B }));

  expect(refusal).toBeInstanceOf(InvalidRequestException);
});

it('lets one of two callers win that saw the label on the same version', async () => {
  const outcomes = await Promise.allSettled([update({ from: A, to: B }), update({ from: A, to: C })]);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
