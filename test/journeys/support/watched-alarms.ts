import {
  type AlarmHistoryItem,
  CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
} from '@aws-sdk/client-cloudwatch';

import { alarmNamePrefix } from '../../../core/alarms/alarms';
import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { placeFlags } from '../../../core/commands/place-flags';
import { documentOf, latchkey } from './command';
import { type Place } from './journeys';

const ALL_TYPES = ['MetricAlarm', 'CompositeAlarm'] as const;

/** An alarm in the output of `status --json`. */
interface ShownAlarm {
  name: string;
  state: string;
  description: string;
}

/** The alarms of one deployment as people see them: in CloudWatch, in notifications, and in `latchkey status`. */
export class WatchedAlarms {
  private readonly place: Place;
  private readonly cloudWatch: CloudWatchClient;
  private readonly prefix: string;
  private seenNotices = 0;

  constructor(place: Place) {
    const { endpoint, region, ...credentials } = place.system.run.aws;
    this.place = place;
    this.cloudWatch = new CloudWatchClient({ endpoint, region, credentials, maxAttempts: 2 });
    this.prefix = alarmNamePrefix(DEFAULT_PREFIX, place.deployment);
  }

  /** Alarms in state ALARM: their descriptions, by name without the deployment's prefix. */
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

  /**
   * Alarms that have tried to notify people since the last call, in order: `tokens`, or `tokens is over`; with the reason
   * if that failed.
   */
  async newNotices(): Promise<string[]> {
    const items: AlarmHistoryItem[] = [];
    let NextToken: string | undefined;
    do {
      const page = await this.cloudWatch.send(
        new DescribeAlarmHistoryCommand({
          AlarmTypes: [...ALL_TYPES],
          ScanBy: 'TimestampAscending',
          NextToken,
        }),
      );
      items.push(...(page.AlarmHistoryItems ?? []));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    const notices = noticesIn(items.filter(({ AlarmName }) => AlarmName?.startsWith(this.prefix)));
    const fresh = notices.slice(this.seenNotices).map((notice) => this.short(notice));
    this.seenNotices = notices.length;
    return fresh;
  }

  /** The output of `latchkey status`: its text on one line, and the red alarms of its JSON document. */
  async shown(): Promise<{ exitCode: number | null; text: string; red: Map<string, string> }> {
    const words = ['status', ...placeFlags(this.place.deployment).split(' ')];
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

/** What people read about: not the first OK of a new alarm, which the e-mail subscriptions filter out. */
function noticesIn(items: readonly AlarmHistoryItem[]): string[] {
  const changes = new Map<string, string>();
  return items.flatMap(({ AlarmName = '', HistoryItemType, HistorySummary = '' }) => {
    if (HistoryItemType === 'StateUpdate') changes.set(AlarmName, HistorySummary);
    if (HistoryItemType !== 'Action') return [];
    const change = changes.get(AlarmName) ?? '';
    const notice = change.endsWith(' to ALARM') ? AlarmName : `${AlarmName} is over`;
    if (!HistorySummary.startsWith('Successfully')) return [`${notice}: ${HistorySummary}`];
    return change.includes('ALARM') ? [notice] : [];
  });
}

/** The commands in backquotes in an alarm's advice. */
export function commandsIn(description: string): string[] {
  return [...description.matchAll(/`([^`]+)`/g)].map(([, command]) => command!);
}

/** The section of the runbook that the advice names. */
export function pageIn(description: string): string {
  return /docs\/runbook\/([\w-]+\.md#[\w-]+)/.exec(description)![1]!;
}
