import {
  type AlarmHistoryItem,
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
} from '@aws-sdk/client-cloudwatch';

import { alarmNamePrefix } from '../../../contract/alarms';
import { DEFAULT_PREFIX } from '../../../contract/secret-names';
import { documentOf, latchkey } from './command';
import { type Place } from './journeys';

const ALL_TYPES = ['MetricAlarm', 'CompositeAlarm'] as const;

/** What `status --json` says of an alarm. */
interface ShownAlarm {
  name: string;
  state: string;
  description: string;
}

/** The alarms of one deployment as the people see them who are told: by CloudWatch, by the topic, and by `latchkey status`. */
export class WatchedAlarms {
  private readonly place: Place;
  private readonly cloudWatch: CloudWatchClient;
  private readonly prefix: string;
  private seenActions = 0;

  constructor(place: Place) {
    const { endpoint, region, ...credentials } = place.system.run.aws;
    this.place = place;
    this.cloudWatch = new CloudWatchClient({ endpoint, region, credentials, maxAttempts: 2 });
    this.prefix = alarmNamePrefix(DEFAULT_PREFIX, place.deployment);
  }

  /** Those in ALARM with their descriptions, by names without the deployment's. */
  async red(): Promise<Map<string, string>> {
    const { MetricAlarms = [], CompositeAlarms = [] } = await this.cloudWatch.send(
      new DescribeAlarmsCommand({
        AlarmNamePrefix: this.prefix,
        AlarmTypes: [...ALL_TYPES],
        StateValue: 'ALARM',
      }),
    );
    return new Map(
      [...MetricAlarms, ...CompositeAlarms].map(({ AlarmName, AlarmDescription = '' }) => [
        this.short(AlarmName),
        AlarmDescription,
      ]),
    );
  }

  /** Which alarms have notified the topic since this was asked for the last time, in their order; or could not, and why. */
  async newPages(): Promise<string[]> {
    const actions: AlarmHistoryItem[] = [];
    let NextToken: string | undefined;
    do {
      const page = await this.cloudWatch.send(
        new DescribeAlarmHistoryCommand({
          AlarmTypes: [...ALL_TYPES],
          HistoryItemType: 'Action',
          ScanBy: 'TimestampAscending',
          NextToken,
        }),
      );
      actions.push(...(page.AlarmHistoryItems ?? []));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    const pages = actions.filter(({ AlarmName }) => AlarmName?.startsWith(this.prefix)).map(pageOf);
    const fresh = pages.slice(this.seenActions).map((page) => this.short(page));
    this.seenActions = pages.length;
    return fresh;
  }

  /** What an operator reads in `latchkey status`: the text in one line, and the alarms of the document that are red. */
  async shown(): Promise<{ exitCode: number | null; text: string; red: Map<string, string> }> {
    const { environment, platformRegion } = this.place.deployment;
    const words = ['status', '--environment', environment, '--platform-region', platformRegion];
    const [text, json] = await Promise.all([
      latchkey(this.place.system, words),
      latchkey(this.place.system, [...words, '--json']),
    ]);
    expect(json.exitCode).toBe(text.exitCode);
    const { deployments } = documentOf<{ deployments: { alarms: ShownAlarm[] }[] }>(json);
    const red = deployments.flatMap(({ alarms }) => alarms).filter(({ state }) => state === 'ALARM');
    return {
      exitCode: text.exitCode,
      text: text.stdout.replaceAll(/\s+/g, ' '),
      red: new Map(red.map(({ name, description }) => [this.short(name), description])),
    };
  }

  private short(name = ''): string {
    return name.replace(this.prefix, '');
  }
}

function pageOf({ AlarmName = '', HistorySummary = '' }: AlarmHistoryItem): string {
  return HistorySummary.startsWith('Successfully') ? AlarmName : `${AlarmName}: ${HistorySummary}`;
}

/** The commands in back-quotes of an alarm's advice. */
export function commandsIn(description: string): string[] {
  return [...description.matchAll(/`([^`]+)`/g)].map(([, command]) => command!);
}

/** The page of the runbook that the advice names. */
export function pageIn(description: string): string {
  return /docs\/runbook\/([\w-]+\.md)/.exec(description)![1]!;
}
