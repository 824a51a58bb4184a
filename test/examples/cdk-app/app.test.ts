import { type Synthesis } from '../../support/lib/synthesis';
import { InstalledExample } from '../../support/package/installed-example';

describe('the stack of the example cdk-app', () => {
  const example = new InstalledExample('cdk-app');
  let synthesis: Synthesis;
  beforeAll(async () => (synthesis = await example.synthesis()));
  afterAll(() => example.remove());

  it('lets its service read one token and ask for a fresh one, and nothing else', () => {
    const statements = synthesis.statements('Service');

    expect(statements.map(({ Action }) => Action).sort()).toEqual([
      'kms:Decrypt',
      'lambda:InvokeFunction',
      'secretsmanager:GetSecretValue',
    ]);
    expect(JSON.stringify(statements)).not.toContain('"*"');
  });
});
