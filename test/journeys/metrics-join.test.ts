import { CloudWatchClient, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';

import { DEPLOYMENT_ALARMS, TENANT_ALARMS } from '../../core/alarms/alarms';
import { Assembly, DEPLOYMENT_KEYS } from './support/assembly';
import { causeEveryMetric, Impostor } from './support/metrics-scenario';
import {
  metricsInLine,
  metricsUsedBy,
  type NamedMetric,
  type Template,
  type UsedMetric,
  withoutPartner,
} from './support/named-metrics';
import { type RunningSystem } from './support/running-system';

let impostor: Impostor;
let assembly: Assembly;
let system: RunningSystem;
/** Metrics that alarms and graphs of all templates use. */
let used: UsedMetric[];
/** Metrics that functions write to their logs and services send. */
let written: NamedMetric[];

beforeAll(async () => {
  impostor = await Impostor.start();
  // One deployment has no restore, which a running system cannot change.
  assembly = await Assembly.synthesize(({ deployments }) => {
    deployments.at(-1)!.restore.available = false;
  });
  used = [...assembly.templates<Template>()].flatMap(([stack, template]) => metricsUsedBy(stack, template));
  system = await assembly.startWithout('whole', []);
  impostor.takeOver(system);
  await causeEveryMetric(system);
  written = [...(await printedMetrics()), ...(await sentMetrics())];
});

afterAll(async () => {
  await system?.stop();
  assembly.dispose();
  impostor.stop();
});

it('every metric in an alarm or a graph is written, with the same dimensions and unit', () => {
  expect(withoutPartner(used, written)).toEqual([]);
});

it('reads every alarm and dashboard', () => {
  const users = new Set(used.map(({ usedBy }) => usedBy.replace(/, .*/, '')));

  const tenants = system.run.deployments.flatMap((deployment) => deployment.tenants);
  const alarms =
    DEPLOYMENT_KEYS.length * (DEPLOYMENT_ALARMS.length - 2) + tenants.length * TENANT_ALARMS.length;
  expect([...users].filter((user) => user.startsWith('alarm '))).toHaveLength(alarms);
  expect([...users].filter((user) => user.startsWith('dashboard '))).toHaveLength(DEPLOYMENT_KEYS.length);
});

it('a metric with another dimension value has no match', () => {
  const fault = used.find(({ metricName }) => metricName === 'TokenFault')!;
  const dimensions = { ...fault.dimensions, code: 'credential_refuse' };

  expect(withoutPartner([{ ...fault, dimensions }], written)).toHaveLength(1);
});

/** Metrics in the log groups of the account. */
async function printedMetrics(): Promise<NamedMetric[]> {
  const { logGroups = [] } = await system.administrator.logs.send(new DescribeLogGroupsCommand({}));
  const lines = await Promise.all(logGroups.map(({ logGroupName }) => system.logLines(logGroupName!)));
  return lines.flat().flatMap(metricsInLine);
}

/**
 * Metrics that the services send. CloudWatch lists them without units, so an alarm that names a unit has no
 * match.
 */
async function sentMetrics(): Promise<NamedMetric[]> {
  const { endpoint, region, ...credentials } = system.run.aws;
  const cloudWatch = new CloudWatchClient({ endpoint, region, credentials, maxAttempts: 2 });
  const found: NamedMetric[] = [];
  for (const Namespace of ['AWS/ApiGateway', 'AWS/Lambda', 'AWS/SQS']) {
    const { Metrics = [] } = await cloudWatch.send(new ListMetricsCommand({ Namespace }));
    for (const { MetricName, Dimensions = [] } of Metrics) {
      const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name!, Value!]));
      found.push({ namespace: Namespace, metricName: MetricName!, dimensions });
    }
  }
  return found;
}
