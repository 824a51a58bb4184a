import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account } from '../src/account';
import { type AccountServices, startAccountServices } from '../src/account-services';
import { RunClock } from '../src/run-clock';
import { type ProvisionedStack } from '../src/template/provision';
import { RecordingReporter } from '../src/testing/recording-reporter';
import { emptyAccount, provision, roleFor } from '../src/testing/stacks';
import { signedFetch } from '../src/testing/signed-fetch';

const FUNCTION_ARN = 'arn:aws:lambda:eu-west-1:111111111111:function:faulty';
/** Prints a fault in the embedded metric format, and fails if the event says so. */
const CODE = `exports.handler = async ({ fails }) => {
  const CloudWatchMetrics = [{ Namespace: 'N', Dimensions: [[]], Metrics: [{ Name: 'Faults', Unit: 'Count' }] }];
  // console.log would prefix the time and the request id.
  process.stdout.write(JSON.stringify({ _aws: { Timestamp: Date.now(), CloudWatchMetrics }, Faults: 1 }) + '\\n');
  if (fails) throw new Error('no');
  return process.env.COLOR;
};`;

const alarmOn = (Namespace: string, MetricName: string, Dimensions: object[] = []) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: MetricName,
    AlarmActions: [{ Ref: 'Topic' }],
    Namespace,
    MetricName,
    Dimensions,
    Unit: 'Count',
    Statistic: 'Sum',
    Period: 300,
    EvaluationPeriods: 1,
    Threshold: 1,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
  },
});

const template = (mayLog: boolean, color = 'red') => {
  const Statement = [{ Effect: mayLog ? 'Allow' : 'Deny', Action: 'logs:*', Resource: '*' }];
  const [roleType, roleProperties] = roleFor('lambda.amazonaws.com', {
    Policies: [{ PolicyName: 'logs', PolicyDocument: { Statement } }],
  });
  return {
    Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'pages' } },
    Role: { Type: roleType, Properties: roleProperties },
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'faulty',
        Code: { S3Bucket: 'assets', S3Key: 'code.zip' },
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Runtime: 'nodejs24.x',
        Environment: { Variables: { COLOR: color } },
      },
    },
    Printed: alarmOn('N', 'Faults'),
    Vended: alarmOn('AWS/Lambda', 'Errors', [{ Name: 'FunctionName', Value: 'faulty' }]),
  };
};

describe('the services of an account', () => {
  let account: Account;
  let services: AccountServices;
  let codeDir: string;
  let stack: ProvisionedStack;

  const deploy = (Resources: Record<string, unknown>, previous?: ProvisionedStack): void => {
    const assetDirs = new Map([['code.zip', codeDir]]);
    const types = services.resourceTypes;
    stack = provision({ Resources }, { account, types, assetDirs, previous });
  };
  const up = async ({ mayLog }: { mayLog: boolean }): Promise<void> => {
    account = emptyAccount();
    const clock = new RunClock();
    codeDir = mkdtempSync(join(tmpdir(), 'faulty-'));
    writeFileSync(join(codeDir, 'index.js'), CODE);
    const reporter = new RecordingReporter();
    services = await startAccountServices({
      account,
      clock,
      reporter,
      port: 0,
      caFile: '/dev/null',
      inlineCodeDir: join(codeDir, 'inline'),
    });
    deploy(template(mayLog));
    services.alarmTicks.start();
  };
  const call = (path: string, service: string, body: object) =>
    signedFetch(`${services.endpoint.url}${path}`, services.issueAdministratorKey() as never, service, {
      body: JSON.stringify(body),
    });
  const invoke = (event: object) =>
    call(`/2015-03-31/functions/${encodeURIComponent(FUNCTION_ARN)}/invocations`, 'lambda', event);
  const red = () =>
    services.alarms
      .states()
      .filter(({ state }) => state === 'ALARM')
      .map(({ name }) => name);

  afterEach(async () => {
    await services.close();
    rmSync(codeDir, { recursive: true });
  });

  test('raise alarms on metrics that functions print and on their errors, at the time the clock was advanced to', async () => {
    await up({ mayLog: true });

    await invoke({ fails: true });
    await call('/_local/clock', 'loopback', { advanceSec: 10 });
    const after10Sec = red();
    await call('/_local/clock', 'loopback', { advanceSec: 900 });

    expect([after10Sec, red()]).toEqual([['Faults', 'Errors'], []]);
    const told = [...account.topics.values()].flatMap(({ messages }) => messages);
    expect(told.map(({ subject }) => subject)).toEqual([
      'ALARM: "Faults" in eu-west-1',
      'ALARM: "Errors" in eu-west-1',
    ]);
  });

  test('ignore metrics that a function may not log, and follow an updated stack: roles at once, functions in new processes, and its alarms', async () => {
    await up({ mayLog: false });
    const before = await (await invoke({})).text();
    await call('/_local/clock', 'loopback', { advanceSec: 10 });
    // The function may not write the log line with its metric.
    expect(red()).toEqual([]);
    const { Topic, Role, Function, Printed } = template(true, 'blue');

    deploy({ Topic, Role, Function, Printed }, stack);
    services.alarmTicks.follow();
    const after = await (await invoke({})).text();
    await invoke({ fails: true });
    await call('/_local/clock', 'loopback', { advanceSec: 10 });

    expect([before, after]).toEqual(['"red"', '"blue"']);
    expect(red()).toEqual(['Faults']);
  });
});
