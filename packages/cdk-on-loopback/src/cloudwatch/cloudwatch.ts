import { type Account } from '../account';
import { LocalQueueSender } from '../aws/sqs-service';
import { type RunClock } from '../run-clock';
import { type WriteLogs } from '../functions/function-log';
import { type Reporter } from '../interfaces';
import { notifyTopics } from './alarm-notifier';
import { AlarmTicks } from './alarm-ticks';
import { Alarms } from './account-alarms';
import { embeddedMetrics } from './parse-embedded-metrics';
import { type MetricDatum, MetricStore } from './metric-store';

interface CloudWatchOptions {
  account: Account;
  clock: RunClock;
  reporter: Reporter;
}

/** The account's metrics and alarms, on the run's clock. */
export class CloudWatch {
  readonly store = new MetricStore();
  readonly alarms = new Alarms(this.store);
  readonly ticks: AlarmTicks;

  constructor({ account, clock, reporter }: CloudWatchOptions) {
    this.ticks = new AlarmTicks({ account, clock, store: this.store, alarms: this.alarms });
    const queueSender = new LocalQueueSender(account, clock);
    notifyTopics({ account, alarms: this.alarms, reporter, queueSender });
  }

  put(data: readonly MetricDatum[]): void {
    for (const datum of data) this.store.put(datum);
  }

  /** Wraps `write` to also store the metrics embedded in the lines it has written. */
  withEmbeddedMetrics(write: WriteLogs): WriteLogs {
    return (account, principal, logGroupName, events) => {
      write(account, principal, logGroupName, events);
      for (const { message, timestampMs } of events) this.put(embeddedMetrics(message, timestampMs));
    };
  }
}
