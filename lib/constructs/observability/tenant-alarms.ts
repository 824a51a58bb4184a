import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

import { TENANT_ALARMS, type TenantAlarm } from '../../../core/alarms/alarm-rows';
import { tenantAlarmName } from '../../../core/alarms/alarms';
import { type TenantKey } from '../../../core/tokens/published-keys';
import { summed, LAST_WATCH_RUN, LAST_SWEEPS } from './alarm-condition';
import { tenantAlarmText } from '../../../core/alarms/alarm-text';
import { notify } from './alarm-topic';
import { deploymentMetric } from './deployment-metric';

export interface TenantAlarmsProps {
  readonly prefix: string;
  readonly tenant: TenantKey;
  /** Both alarms notify it, also when they are over. @default nobody is notified */
  readonly topic?: sns.ITopic;
}

/** No data means no refusal in that period; for the watch, it means that the last result still holds. */
const MISSING_DATA: Record<TenantAlarm, cloudwatch.TreatMissingData> = {
  'credential-refused': cloudwatch.TreatMissingData.NOT_BREACHING,
  'credential-attention': cloudwatch.TreatMissingData.IGNORE,
};

/** The alarms of one tenant: faults that only the tenant's team or the platform's support can fix. */
export class TenantAlarms extends Construct {
  /** By id. */
  readonly alarms: ReadonlyMap<TenantAlarm, cloudwatch.AlarmBase>;
  private readonly tenant: TenantKey & { prefix: string };

  constructor(scope: Construct, id: string, { prefix, tenant, topic }: TenantAlarmsProps) {
    super(scope, id);
    this.tenant = { ...tenant, prefix };
    const metrics: Record<TenantAlarm, cloudwatch.IMetric> = {
      'credential-refused': summed([this.metricCredentialRefused()], {
        label: 'runs with a rejected credential',
        period: LAST_SWEEPS,
      }),
      'credential-attention': this.metricCredentialAttention(),
    };
    this.alarms = new Map(
      TENANT_ALARMS.map((name) => {
        const alarm = new cloudwatch.Alarm(this, name, {
          alarmName: tenantAlarmName(prefix, tenant, name),
          alarmDescription: tenantAlarmText(name, tenant),
          metric: metrics[name],
          comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
          threshold: 1,
          evaluationPeriods: 1,
          treatMissingData: MISSING_DATA[name],
        });
        if (topic !== undefined) notify(topic, alarm);
        return [name, alarm];
      }),
    );
  }

  /** Runs in which the platform rejected the tenant's credential or a scope, or the secret held no credential. */
  metricCredentialRefused(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    const { tenantId } = this.tenant;
    return deploymentMetric(
      this.tenant,
      'CredentialRefused',
      { period: LAST_SWEEPS, ...options },
      { tenantId },
    );
  }

  /**
   * Findings about the tenant's credentials that need a person. The minimum over the period, so that the run after a
   * fix clears the alarm.
   */
  metricCredentialAttention(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    const defaults = { period: LAST_WATCH_RUN, statistic: cloudwatch.Stats.MINIMUM };
    const { tenantId } = this.tenant;
    return deploymentMetric(this.tenant, 'CredentialAttention', { ...defaults, ...options }, { tenantId });
  }
}
