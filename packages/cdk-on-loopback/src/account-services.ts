import { type Account } from './account';
import { apiGatewayResourceTypes } from './api-gateway/api-gateway-resource-types';
import { RestApis } from './api-gateway/rest-api';
import { type ApiGatewayServer, startApiGateway } from './api-gateway/api-gateway-server';
import { validationError } from './aws/aws-error';
import { type AwsEndpoint, startAwsEndpoint } from './aws/endpoint';
import { type Input } from './aws/input';
import { writeLogEvents } from './aws/logs-service';
import { LocalQueueSender } from './aws/sqs-service';
import { controlStacks } from './aws/stacks-control';
import { type RunClock } from './run-clock';
import { type AlarmTicks } from './cloudwatch/alarm-ticks';
import { type Alarms } from './cloudwatch/account-alarms';
import { type MetricStore } from './cloudwatch/metric-store';
import { CloudWatch } from './cloudwatch/cloudwatch';
import { invocationMetrics, requestMetrics } from './cloudwatch/vended-metrics';
import { LocalInvoker } from './functions/invoker';
import { HostError } from './host-error';
import { Credentials } from './iam/access-keys';
import { type FunctionInvoker, type KeyPair, type Reporter } from './interfaces';
import { rotationResourceTypes } from './rotation/rotation-resource-types';
import { Rotator } from './rotation/rotator';
import { Scheduler } from './scheduler';
import { Stacks } from './stacks';
import { type ResourceType } from './template/resource-type';

interface AccountServicesOptions {
  account: Account;
  clock: RunClock;
  reporter: Reporter;
  /** 0 picks a free port. */
  port: number;
  /** PEM file that functions trust; absolute path. */
  caFile: string;
  /** Folder for the code that templates contain. */
  inlineCodeDir: string;
  /** `NODE_PATH` of functions: folders with the packages that AWS's runtime has. @default none */
  modulePath?: string;
}

/** The services of a running account: its endpoint, functions, REST APIs, rotations and schedules. */
export interface AccountServices {
  readonly endpoint: AwsEndpoint;
  readonly apiGateway: ApiGatewayServer;
  readonly restApis: RestApis;
  readonly invoker: FunctionInvoker;
  /** Resource types whose state these services hold; for the provisioner. */
  readonly resourceTypes: Readonly<Record<string, ResourceType>>;
  readonly stacks: Stacks;
  readonly scheduler: Scheduler;
  readonly rotator: Rotator;
  readonly alarms: Alarms;
  readonly metrics: MetricStore;
  readonly alarmTicks: AlarmTicks;
  /** Issues a key of the account's administrator. */
  readonly issueAdministratorKey: () => KeyPair;
  /** Adds a role with these policies alone, and issues a key for a person who works in it. */
  readonly addPerson: (roleName: string, managedPolicyArns: string[]) => KeyPair;
  close(): Promise<void>;
}

/**
 * Starts the services of an account, which may still be empty.
 * @throws {HostError} `port_in_use`
 */
export async function startAccountServices(options: AccountServicesOptions): Promise<AccountServices> {
  const { account, clock, reporter, port, caFile, inlineCodeDir, modulePath } = options;
  const run = { account, clock, reporter };
  const credentials = new Credentials(account.accountId, clock);
  const queueSender = new LocalQueueSender(account, clock);
  const cloudWatch = new CloudWatch(run);
  const writeLogs = cloudWatch.withEmbeddedMetrics(writeLogEvents);
  const apis = new RestApis();
  let endpointUrl = '';
  let apiOrigin = '';
  const invoker: LocalInvoker = new LocalInvoker({
    ...run,
    queueSender,
    writeLogs,
    onInvocation: (ended) => cloudWatch.put(invocationMetrics(ended)),
    issueKeys: ({ roleArn, sessionName }) => {
      const { sessionToken = '', ...key } = credentials.issueForRole(roleArn, sessionName, {
        withSessionToken: true,
      });
      return { ...keyPairOf(key), sessionToken };
    },
    addresses: () => ({ region: account.region, endpointUrl, apiOrigin, caFile, modulePath }),
  });
  const rotator = new Rotator({ ...run, invoker });
  const scheduler = new Scheduler({ ...run, invoker, queueSender });
  const resourceTypes = { ...apiGatewayResourceTypes(apis), ...rotationResourceTypes(rotator) };
  const onInert = (text: string): void => reporter.warning(text);
  const stacks = new Stacks({
    account,
    invoker,
    provisioning: () => ({ nowMs: clock.nowMs(), endpointUrl, types: resourceTypes, inlineCodeDir, onInert }),
    onChange: () => {
      scheduler.start();
      cloudWatch.ticks.follow();
    },
    settle: () => clock.advance(0),
  });
  const endpoint = await startAwsEndpoint({
    ...run,
    credentials,
    invoker,
    rotator,
    cloudWatch,
    scheduleUpdates: scheduler,
    port,
    selfAuthorizingHandlers: {
      stacks: (input, principal) => controlStacks(input, { account, principal }, stacks),
    },
    localHandlers: {
      clock: (input) => advanceClock(input, clock, cloudWatch.ticks),
    },
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    const message = `port ${port} for the AWS endpoint is in use; choose another with --port`;
    throw new HostError('port_in_use', message, { cause: error });
  });
  endpointUrl = endpoint.url;
  const apiGateway = await startApiGateway({
    ...run,
    apis,
    invoker,
    credentials,
    writeLogs,
    onAnswer: (answered) => cloudWatch.put(requestMetrics(answered)),
    port: 0,
  });
  apiOrigin = apiGateway.origin;
  return {
    endpoint,
    apiGateway,
    restApis: apis,
    invoker,
    resourceTypes,
    stacks,
    scheduler,
    rotator,
    alarms: cloudWatch.alarms,
    metrics: cloudWatch.store,
    alarmTicks: cloudWatch.ticks,
    issueAdministratorKey: () => keyPairOf(credentials.issueForAdministrator()),
    addPerson: (roleName, managedPolicyArns) => {
      const roleArn = addRole(account, roleName, managedPolicyArns);
      return keyPairOf(credentials.issueForRole(roleArn, roleName, { withSessionToken: false }));
    },
    close: async () => {
      scheduler.stop();
      cloudWatch.ticks.stop();
      rotator.close();
      clock.close();
      await Promise.all([invoker.close(), endpoint.close(), apiGateway.close()]);
    },
  };
}

/** Handles `POST /_local/clock`. */
async function advanceClock(input: Input, clock: RunClock, alarmTicks: AlarmTicks): Promise<object> {
  input.refuseOtherThan(['advanceSec']);
  const advanceSec = input.optionalInteger('advanceSec', { min: 0 });
  if (advanceSec === undefined) throw validationError('advanceSec is missing');
  await clock.advance(advanceSec);
  alarmTicks.settle();
  return { now: new Date(clock.nowMs()).toISOString() };
}

function keyPairOf({ accessKeyId, secretAccessKey }: KeyPair): KeyPair {
  return { accessKeyId, secretAccessKey };
}

function addRole(account: Account, name: string, managedPolicyArns: string[]): string {
  const arn = `arn:aws:iam::${account.accountId}:role/${name}`;
  account.roles.set(arn, {
    arn,
    name,
    assumeRolePolicy: { Version: '2012-10-17', Statement: [] },
    inlinePolicies: [],
    managedPolicyArns,
  });
  return arn;
}
