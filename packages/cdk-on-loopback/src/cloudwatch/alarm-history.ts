import { type AlarmTransition } from './alarm-state';

export interface AlarmHistoryItem {
  readonly alarmName: string;
  readonly alarmType: 'MetricAlarm' | 'CompositeAlarm';
  readonly atMs: number;
  readonly type: 'StateUpdate' | 'Action';
  readonly summary: string;
}

const MAX_ITEMS = 5000;

/** The last 2,500 to 5,000 events of an account's alarms. */
export class AlarmHistory {
  private kept: AlarmHistoryItem[] = [];

  /** All events, oldest first. */
  items(): readonly AlarmHistoryItem[] {
    return this.kept;
  }

  stateUpdated(transition: AlarmTransition): void {
    const { previousState, alarm } = transition;
    this.add(transition, 'StateUpdate', `Alarm updated from ${previousState} to ${alarm.state}`);
  }

  /** Records that a topic was notified, or why it could not be. */
  actionTaken(transition: AlarmTransition, topicArn: string, refusal?: string): void {
    const summary =
      refusal === undefined
        ? `Successfully executed action ${topicArn}`
        : `Failed to execute action ${topicArn}. Received error: "${refusal}"`;
    this.add(transition, 'Action', summary);
  }

  private add({ alarm, atMs }: AlarmTransition, type: AlarmHistoryItem['type'], summary: string): void {
    const alarmType = alarm.definition.kind === 'metric' ? 'MetricAlarm' : 'CompositeAlarm';
    this.kept.push({ alarmName: alarm.name, alarmType, atMs, type, summary });
    if (this.kept.length > MAX_ITEMS) this.kept = this.kept.slice(-MAX_ITEMS / 2);
  }
}
