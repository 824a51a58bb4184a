import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { TENANT_ALARMS, tenantAlarmName } from '../../../contract/alarms';
import { type DeploymentFile } from '../../../contract/deployment-file';
import { deploymentName } from '../../../contract/token-key';
import { type AlarmThresholdOptions, DEFAULT_ALARM_THRESHOLDS } from '../../config/alarm-settings';
import { type CredentialRotator } from '../credentials/credential-rotator';
import { type CredentialWatch } from './credential-watch';
import { credentialWidgets } from './credential-widgets';
import { type DeploymentAlarms } from './deployment-alarms';
import { type RestoreApi } from '../restore/restore-api';
import { restoreWidgets } from './restore-widgets';
import { type TokenRefresher } from '../tokens/token-refresher';
import { tokenWidgets } from './token-widgets';
import { type DeploymentSettings } from '../deployment-settings';

export interface DeploymentDashboardProps {
  readonly deployment: DeploymentSettings;
  readonly alarms: DeploymentAlarms;
  readonly tokenRefresher: TokenRefresher;
  readonly credentialRotator: CredentialRotator;
  readonly credentialWatch: CredentialWatch;
  /** @default none, and no widgets for it */
  readonly restoreApi?: RestoreApi;
  /** Drawn as lines. @default those of each threshold */
  readonly thresholds?: AlarmThresholdOptions;
}

/** @see Amazon CloudWatch API Reference, "Dashboard Body Structure and Syntax" (alarm widget) */
const MAX_ALARMS_PER_WIDGET = 100;
const WIDTH = 24;

/** The dashboard of a deployment: alarms at the top, then tokens, credentials and restores. */
export class DeploymentDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DeploymentDashboardProps) {
    super(scope, id);
    const { tokenRefresher, credentialRotator, credentialWatch, restoreApi } = props;
    const deployment = props.deployment.file;
    const { maxAgeDays } = deployment.credentials;
    const { fullMonitoring } = deployment;
    const thresholds = { ...DEFAULT_ALARM_THRESHOLDS, ...props.thresholds, fullMonitoring };
    const sections: [title: string, widgets: cloudwatch.IWidget[]][] = [
      ['Tokens', tokenWidgets(tokenRefresher, thresholds, deployment)],
      ['Credentials', credentialWidgets(credentialWatch, credentialRotator, { ...thresholds, maxAgeDays })],
      ...(restoreApi === undefined
        ? []
        : [['Restore', restoreWidgets(restoreApi, thresholds)] satisfies (typeof sections)[number]]),
    ];
    new cloudwatch.Dashboard(this, 'Resource', {
      dashboardName: `${deployment.prefix}-${deploymentName(deployment)}`,
      defaultInterval: Duration.hours(24),
      widgets: [
        [this.deploymentAlarms(props.alarms)],
        ...this.tenantAlarms(deployment).map((widget) => [widget]),
        ...sections.flatMap(([title, widgets]) => [[heading(title)], widgets]),
      ],
    });
  }

  private deploymentAlarms({ alarms }: DeploymentAlarms): cloudwatch.IWidget {
    return new cloudwatch.AlarmStatusWidget({
      title: 'Deployment alarms',
      alarms: [...alarms.values()],
      width: WIDTH,
      height: 4,
    });
  }

  /** Shows only alarms that are in alarm, so that the page stays short with a hundred tenants. */
  private tenantAlarms(deployment: DeploymentFile): cloudwatch.IWidget[] {
    const names = deployment.tenants.flatMap(({ tenantId }) =>
      TENANT_ALARMS.map((alarm) => tenantAlarmName(deployment.prefix, { ...deployment, tenantId }, alarm)),
    );
    // By name, because tenant stacks are deployed after this one and destroyed before it.
    const alarms = names.map((name) => cloudwatch.Alarm.fromAlarmName(this, name.replaceAll('/', '-'), name));
    const parts = inParts(alarms, MAX_ALARMS_PER_WIDGET);
    return parts.map(
      (part, index) =>
        new cloudwatch.AlarmStatusWidget({
          title: `Tenant alarms in alarm${parts.length > 1 ? ` (${index + 1} of ${parts.length})` : ''}`,
          alarms: part,
          states: [cloudwatch.AlarmState.ALARM],
          width: WIDTH,
          height: 2,
        }),
    );
  }
}

function heading(title: string): cloudwatch.IWidget {
  // Named, because the default of aws-cdk-lib changed in 2.276.
  const background = cloudwatch.TextWidgetBackground.TRANSPARENT;
  return new cloudwatch.TextWidget({ markdown: `## ${title}`, width: WIDTH, height: 1, background });
}

function inParts<T>(all: T[], size: number): T[][] {
  return all.length === 0 ? [] : [all.slice(0, size), ...inParts(all.slice(size), size)];
}
