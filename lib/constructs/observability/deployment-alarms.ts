import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

import {
  type AlarmThresholds,
  COMPOSITE_ALARMS,
  DEPLOYMENT_ALARMS,
  type DeploymentAlarm,
  neededAlarms,
  NOTIFYING_ALARMS,
} from '../../../core/alarms/alarm-rows';
import { deploymentAlarmName } from '../../../core/alarms/alarms';
import { type AlarmCondition, type AlarmConditions, throttleCondition } from './alarm-condition';
import { deploymentAlarmText } from '../../../core/alarms/alarm-text';
import { notify } from './alarm-topic';
import { acknowledge } from '../internal/acknowledge';
import { credentialAlarmConditions } from './credential-alarm-conditions';
import { type CredentialRotator } from '../credentials/credential-rotator';
import { type CredentialWatch } from './credential-watch';
import { restoreAlarmConditions } from './restore-alarm-conditions';
import { type RestoreApi } from '../restore/restore-api';
import { tokenAlarmConditions } from './token-alarm-conditions';
import { type TokenRefresher } from '../tokens/token-refresher';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';

export interface DeploymentAlarmsProps {
  readonly deployment: DeploymentSettings;
  readonly tokenRefresher: TokenRefresher;
  readonly credentialRotator: CredentialRotator;
  readonly credentialWatch: CredentialWatch;
  /** @default none, and no alarms for it */
  readonly restoreApi?: RestoreApi;
  /** Notified by the alarms in `NOTIFYING_ALARMS`, also when they are over. @default nobody is notified */
  readonly topic?: sns.ITopic;
}

/**
 * The alarms of a deployment. Each fault notifies once: if it puts two alarms in alarm, at most one of them notifies,
 * by itself or through a composite alarm.
 * @see docs/decisions/0011-one-page-per-fault.md
 */
export class DeploymentAlarms extends Construct {
  /** By id. The restore alarms exist only if the deployment has a restore API, and those that notify nobody only with `fullMonitoring`. */
  readonly alarms: ReadonlyMap<DeploymentAlarm, cloudwatch.AlarmBase>;
  private readonly props: DeploymentAlarmsProps;
  private readonly thresholds: AlarmThresholds;

  constructor(scope: Construct, id: string, props: DeploymentAlarmsProps) {
    super(scope, id);
    withDeployment(this, props);
    this.props = props;
    this.thresholds = props.deployment.options.alarms;
    const alarms = new Map<DeploymentAlarm, cloudwatch.AlarmBase>();
    const conditions = this.conditions();
    const { fullMonitoring } = props.deployment.file;
    const created = fullMonitoring ? DEPLOYMENT_ALARMS : neededAlarms(props.restoreApi !== undefined);
    for (const alarm of created) {
      const condition = conditions[alarm];
      if (condition !== undefined) alarms.set(alarm, this.createAlarm(alarm, condition));
    }
    alarms.set('tokens', this.createComposite('tokens', alarms));
    if (props.restoreApi !== undefined) alarms.set('restore', this.createComposite('restore', alarms));
    const notifying = NOTIFYING_ALARMS.flatMap((alarm) => alarms.get(alarm) ?? []);
    if (props.topic !== undefined) for (const alarm of notifying) notify(props.topic, alarm);
    this.alarms = alarms;
  }

  private conditions(): AlarmConditions {
    const { deployment, tokenRefresher, credentialRotator, credentialWatch, restoreApi } = this.props;
    const throttles = [
      credentialRotator.metricThrottles(),
      credentialWatch.metricThrottles(),
      ...(restoreApi?.metricsThrottles() ?? []),
    ];
    return {
      ...tokenAlarmConditions(tokenRefresher, deployment.file, this.thresholds),
      ...credentialAlarmConditions(credentialWatch, deployment.file, this.thresholds),
      ...throttleCondition(throttles, this.thresholds),
      ...(restoreApi !== undefined && restoreAlarmConditions(restoreApi, this.thresholds)),
    };
  }

  private createAlarm(alarm: DeploymentAlarm, condition: AlarmCondition): cloudwatch.Alarm {
    const created = new cloudwatch.Alarm(this, alarm, {
      alarmName: this.nameOf(alarm),
      alarmDescription: this.textOf(alarm),
      metric: condition.metric,
      comparisonOperator: condition.comparison,
      threshold: condition.threshold,
      evaluationPeriods: condition.periods ?? 1,
      treatMissingData: condition.missingData ?? cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    if (condition.warmUp !== undefined) {
      const cfnAlarm = created.node.defaultChild as cloudwatch.CfnAlarm;
      // aws-cdk-lib before 2.268 does not know the property.
      cfnAlarm.addPropertyOverride('WarmUpConfiguration', {
        WarmUpPeriodDurationInMinutes: condition.warmUp.toMinutes(),
      });
    }
    if (!isNotifying(alarm)) {
      acknowledge(
        created.node.defaultChild,
        ['NIST.800.53.R5-CloudWatchAlarmAction'],
        'Each fault notifies once: another alarm or a composite one does it, or nobody has to be called.',
      );
    }
    return created;
  }

  private createComposite(
    alarm: keyof typeof COMPOSITE_ALARMS,
    alarms: ReadonlyMap<DeploymentAlarm, cloudwatch.AlarmBase>,
  ): cloudwatch.CompositeAlarm {
    const parts = COMPOSITE_ALARMS[alarm].map((part) =>
      cloudwatch.AlarmRule.fromAlarm(alarms.get(part)!, cloudwatch.AlarmState.ALARM),
    );
    return new cloudwatch.CompositeAlarm(this, alarm, {
      compositeAlarmName: this.nameOf(alarm),
      alarmDescription: this.textOf(alarm),
      alarmRule: cloudwatch.AlarmRule.anyOf(...parts),
    });
  }

  private nameOf(alarm: DeploymentAlarm): string {
    return deploymentAlarmName(this.props.deployment.prefix, this.props.deployment.file, alarm);
  }

  private textOf(alarm: DeploymentAlarm): string {
    const { deployment } = this.props;
    const { maxAgeDays } = deployment.file.credentials;
    return deploymentAlarmText(alarm, deployment.file, { ...this.thresholds, maxAgeDays });
  }
}

function isNotifying(alarm: DeploymentAlarm): boolean {
  return (NOTIFYING_ALARMS as readonly DeploymentAlarm[]).includes(alarm);
}
