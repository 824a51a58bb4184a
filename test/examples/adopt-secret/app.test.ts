import { Synthesis } from '../../support/lib/synthesis';
import { InstalledExample } from '../../support/package/installed-example';

const CREDENTIALS = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:legacy/platform/creds-AbCdEf';
const API_KEY = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:legacy/platform/key-GhIjKl';
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

describe('the stack of the example adopt-secret', () => {
  let example: InstalledExample;
  let synthesis: Synthesis;

  beforeAll(async () => {
    example = new InstalledExample('adopt-secret');
    await example.compile();
    synthesis = new Synthesis((await example.synthesize()).assembly);
  });
  afterAll(() => example.remove());

  it('creates the token’s secret alone, and rotates those that it adopts', () => {
    const names = synthesis.properties('AWS::SecretsManager::Secret').map(({ Name }) => Name);
    const rotated = synthesis
      .properties('AWS::SecretsManager::RotationSchedule')
      .map(({ SecretId }) => SecretId);

    expect(names).toEqual(['latchkey/production/global/eu-west-2_Productio/token/content/api-read']);
    expect(rotated.sort()).toEqual([CREDENTIALS, API_KEY].sort());
    expect(
      synthesis.resources('AWS::SecretsManager::ResourcePolicy').map(({ Properties }) => Properties),
    ).not.toContainEqual(expect.objectContaining({ SecretId: CREDENTIALS }));
  });

  it('tells the functions the names of its fields', () => {
    const [file] = synthesis.deploymentFiles();

    expect(JSON.stringify(file)).toContain('"clientId":"id"');
    expect(JSON.stringify(file)).toContain('"clientSecret":"secret"');
  });

  it('lets the functions that read the credentials use their key', () => {
    const policies = synthesis.resources('AWS::IAM::Policy');
    const namedIn = (arn: string) =>
      policies
        .filter(({ Properties }) => JSON.stringify(Properties).includes(arn))
        .map(({ logicalId }) => logicalId);

    expect(namedIn(CREDENTIALS).length).toBeGreaterThan(0);
    expect(namedIn(KEY).length).toBeGreaterThan(0);
  });
});
