import { type Synthesis } from '../../support/lib/synthesis';
import { InstalledExample } from '../../support/package/installed-example';

const CREDENTIALS = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:legacy/platform/creds-AbCdEf';
const API_KEY = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:legacy/platform/key-GhIjKl';

describe('the stack of the example adopt-secret', () => {
  const example = new InstalledExample('adopt-secret');
  let synthesis: Synthesis;
  beforeAll(async () => (synthesis = await example.synthesis()));
  afterAll(() => example.remove());

  it('creates the token’s secret alone, and rotates those that it adopts', () => {
    const names = synthesis.properties('AWS::SecretsManager::Secret').map(({ Name }) => Name);
    const rotated = synthesis
      .properties('AWS::SecretsManager::RotationSchedule')
      .map(({ SecretId }) => SecretId);

    expect(names).toEqual(['latchkey/production/global/eu-west-2_Productio/token/content/api-read']);
    expect(rotated.sort()).toEqual([CREDENTIALS, API_KEY].sort());
  });
});
