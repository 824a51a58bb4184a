import {
  InvalidParameterException,
  InvalidRequestException,
  ResourceNotFoundException,
  UpdateSecretVersionStageCommand,
  type UpdateSecretVersionStageCommandInput,
} from '@aws-sdk/client-secrets-manager';
import { type Secret } from '../../../../local/account';
import { LocalAws, refusalOf } from '../local-account';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

// API_UpdateSecretVersionStage
describe('UpdateSecretVersionStage, through the SDK', () => {
  let aws: LocalAws;
  let secret: Secret;

  beforeEach(async () => {
    aws = new LocalAws();
    secret = aws.addSecret('s');
    for (const [versionId, label] of Object.entries({
      [A]: 'AWSCURRENT',
      [B]: 'AWSPENDING',
      [C]: 'AWSPREVIOUS',
    })) {
      secret.versions.set(versionId, {
        versionId,
        createdAtMs: 0,
        secretString: versionId,
        stages: new Set([label]),
      });
    }
    await aws.start();
  });
  afterEach(() => aws.stop());

  const update = (part: Partial<UpdateSecretVersionStageCommandInput>) =>
    aws
      .secretsManager()
      .send(new UpdateSecretVersionStageCommand({ SecretId: 's', VersionStage: 'AWSCURRENT', ...part }));
  const stages = () =>
    Object.fromEntries([...secret.versions].map(([id, version]) => [id, [...version.stages].sort()]));
  const START = { [A]: ['AWSCURRENT'], [B]: ['AWSPENDING'], [C]: ['AWSPREVIOUS'] };

  it('moves AWSCURRENT from the version that has it, and AWSPREVIOUS behind it', async () => {
    await update({ RemoveFromVersionId: A, MoveToVersionId: B });

    expect(stages()).toEqual({ [A]: ['AWSPREVIOUS'], [B]: ['AWSCURRENT', 'AWSPENDING'], [C]: [] });
  });

  it('rolls back: AWSCURRENT and AWSPREVIOUS change places', async () => {
    await update({ RemoveFromVersionId: A, MoveToVersionId: C });

    expect(stages()).toEqual({ [A]: ['AWSPREVIOUS'], [B]: ['AWSPENDING'], [C]: ['AWSCURRENT'] });
  });

  it('attaches a label that no version has', async () => {
    await update({ VersionStage: 'NEW', MoveToVersionId: A });

    expect(stages()[A]).toEqual(['AWSCURRENT', 'NEW']);
  });

  it('removes a label from the version that has it', async () => {
    await update({ VersionStage: 'AWSPENDING', RemoveFromVersionId: B });

    expect(stages()[B]).toEqual([]);
  });

  it('moves another label without touching AWSPREVIOUS', async () => {
    await update({ VersionStage: 'AWSPENDING', RemoveFromVersionId: B, MoveToVersionId: A });

    expect(stages()).toEqual({ [A]: ['AWSCURRENT', 'AWSPENDING'], [B]: [], [C]: ['AWSPREVIOUS'] });
  });

  it('does nothing when the label is where it should go', async () => {
    await update({ MoveToVersionId: A });

    expect(stages()).toEqual(START);
  });

  it.each<
    [
      string,
      Partial<UpdateSecretVersionStageCommandInput>,
      typeof InvalidParameterException | typeof ResourceNotFoundException,
    ]
  >([
    ['a move that does not say from where', { MoveToVersionId: B }, InvalidParameterException],
    [
      'a move from a version that does not have the label',
      { RemoveFromVersionId: C, MoveToVersionId: B },
      InvalidParameterException,
    ],
    [
      'a move of a label that no version has, from one',
      { VersionStage: 'NEW', RemoveFromVersionId: A, MoveToVersionId: B },
      InvalidParameterException,
    ],
    [
      'a removal from a version that does not have the label',
      { VersionStage: 'AWSPENDING', RemoveFromVersionId: A },
      InvalidParameterException,
    ],
    ['neither from nor to', {}, InvalidParameterException],
    ['the removal of AWSCURRENT', { RemoveFromVersionId: A }, InvalidParameterException],
    [
      'a version that does not exist',
      { RemoveFromVersionId: A, MoveToVersionId: 'x'.repeat(32) },
      ResourceNotFoundException,
    ],
  ])('refuses %s, and changes nothing', async (_, part, type) => {
    expect(await refusalOf(update(part))).toBeInstanceOf(type);
    expect(stages()).toEqual(START);
  });

  it('names the version that has the label when the caller did not', async () => {
    expect((await refusalOf(update({ MoveToVersionId: B }))).message).toBe(
      "The parameter RemoveFromVersionId can't be empty. Staging label AWSCURRENT is currently attached to version " +
        `${A}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  });

  it('refuses to make a version without a value current', async () => {
    secret.versions.set(B, { versionId: B, createdAtMs: 0, stages: new Set(['AWSPENDING']) });

    const refusal = await refusalOf(update({ RemoveFromVersionId: A, MoveToVersionId: B }));

    expect(refusal).toBeInstanceOf(InvalidRequestException);
  });

  it('lets one of two callers who saw the same holder win', async () => {
    const outcomes = await Promise.allSettled([
      update({ RemoveFromVersionId: A, MoveToVersionId: B }),
      update({ RemoveFromVersionId: A, MoveToVersionId: C }),
    ]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
