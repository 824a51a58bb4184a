import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Account } from '../../../local/account';
import { type AccountServices, startAccountServices } from '../../../local/account-services';
import { RunClock } from '../../../local/run-clock';
import { type DeploymentFailed } from '../../../probes/system';
import { LaptopStacks } from '../../../prove/stacks/laptop-stacks';
import { writeAssembly } from '../../../prove/stacks/template-assembly';
import { RecordingReporter } from '../../support/local/recording-reporter';
import { emptyAccount } from '../../support/local/stacks';

const PLACE = { partition: 'aws', accountId: '111111111111', region: 'eu-west-1' };
const parameter = (Name: string, Value: unknown = 'x') => ({
  Type: 'AWS::SSM::Parameter',
  Properties: { Name, Type: 'String', Value },
});

describe('stacks of a laptop system', () => {
  let dir: string;
  let account: Account;
  let services: AccountServices;
  let stacks: LaptopStacks;
  let clock: RunClock;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'laptop-stacks-'));
    account = emptyAccount();
    clock = new RunClock();
    const parts = { account, clock, reporter: new RecordingReporter(), caFile: '/dev/null' };
    services = await startAccountServices({ ...parts, inlineCodeDir: join(dir, 'code'), port: 0 });
    const credentials = services.administrator();
    stacks = new LaptopStacks({
      access: () => ({
        ...{ endpoint: services.endpoint.url, region: PLACE.region, credentials },
        systemClockOffset: clock.offsetMs(),
      }),
      assembly: { place: PLACE, prefix: 'prove-test', parentDir: dir },
    });
  });
  afterAll(async () => {
    await services.close();
    rmSync(dir, { recursive: true });
  });

  test('are created, updated, listed and deleted, also after time has passed, and leave no file behind', async () => {
    const template = (Value: string) => ({
      Resources: { A: parameter('/prove-test/a', Value) },
      Outputs: { Where: { Value: { Ref: 'A' } } },
    });

    const created = await stacks.deploy(
      { name: 'prove-test-a', template: template('x') },
      { name: 'prove-test-b', template: { Resources: {} } },
    );
    await clock.advance(3600);
    await stacks.deploy({ name: 'prove-test-a', template: template('y') });
    const listed = await stacks.list('prove-test');
    const value = account.parameters.get('/prove-test/a')?.value;
    await stacks.delete('prove-test-none', 'prove-test-a', 'prove-test-b');

    expect(created).toEqual({ 'prove-test-a': { Where: '/prove-test/a' }, 'prove-test-b': {} });
    expect(value).toBe('y');
    expect(listed).toEqual([
      { name: 'prove-test-a', status: 'UPDATE_COMPLETE' },
      { name: 'prove-test-b', status: 'CREATE_COMPLETE' },
    ]);
    expect(await stacks.list('prove-test')).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('are deleted once what another process began has ended', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `/prove-test/p${n}`);
    const Resources = Object.fromEntries(names.map((name, n) => [`P${n}`, parameter(name)]));
    const deploying = stacks.deploy({ name: 'prove-test-a', template: { Resources } });
    while ((await stacks.list('prove-test')).length === 0);

    await stacks.delete('prove-test-a');

    await deploying;
    expect([await stacks.list('prove-test'), [...account.parameters.keys()]]).toEqual([[], []]);
  });

  test.each([
    ['its creation fails', { Type: 'AWS::SSM::Parameter' }, 'ROLLBACK_COMPLETE'],
    ['its template is wrong', { ...parameter('/x'), DependsOn: 'None' }, undefined],
  ])('fail with the status of a stack when %s', async (_, resource, status) => {
    const failure = await stacks
      .deploy({ name: 'prove-test-f', template: { Resources: { F: resource } } })
      .catch((error: unknown) => error as DeploymentFailed);
    await stacks.delete('prove-test-f');

    expect(failure).toMatchObject({ name: 'DeploymentFailed', status });
    expect((failure as Error).message).toContain('prove-test-f, F');
  });
});

describe('the assembly of templates', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'assembly-'))));
  afterEach(() => rmSync(dir, { recursive: true }));
  const options = () => ({ place: PLACE, prefix: 'prove-test', qualifier: 'acme', parentDir: dir });

  test('names the roles of the bootstrap stack and the tag of the run, and keeps the order', () => {
    const written = writeAssembly(
      [
        { name: 'prove-test-b', template: {} },
        { name: 'prove-test-a', template: {} },
      ],
      options(),
    );
    const { artifacts } = JSON.parse(readFileSync(join(written, 'manifest.json'), 'utf8')) as {
      artifacts: Record<string, { dependencies: string[]; properties: object }>;
    };

    expect(artifacts['prove-test-a']).toMatchObject({
      environment: 'aws://111111111111/eu-west-1',
      dependencies: ['prove-test-b'],
      properties: {
        tags: { 'latchkey:prove': 'prove-test' },
        assumeRoleArn: 'arn:aws:iam::111111111111:role/cdk-acme-deploy-role-111111111111-eu-west-1',
        bootstrapStackVersionSsmParameter: '/cdk-bootstrap/acme/version',
      },
    });
    expect(artifacts['prove-test-b']!.dependencies).toEqual([]);
  });

  test('has no template that CloudFormation takes from S3 only', () => {
    const template = { Description: 'x'.repeat(51_200) };

    expect(() => writeAssembly([{ name: 'prove-test-a', template }], options())).toThrow(
      'the template of prove-test-a is larger than 51200 bytes',
    );
  });
});
