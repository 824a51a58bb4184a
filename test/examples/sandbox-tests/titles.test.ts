import { InstalledExample } from '../../support/package/installed-example';

describe('the example sandbox-tests', () => {
  const example = new InstalledExample('sandbox-tests');
  afterAll(() => example.remove());

  it('passes, and its process ends by itself', async () => {
    await example.compile();

    const run = await example.node(['--import', 'tsx', '--test', 'titles.test.ts']);

    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toMatch(/^# pass 4$/m);
  });
});
