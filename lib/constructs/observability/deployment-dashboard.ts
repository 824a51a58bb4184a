import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { deploymentDimensions, type Metric, METRIC_NAMESPACE } from '../../../core/alarms/metrics';
import { placeFlags } from '../../../core/commands/place-flags';
import { type DeploymentKey, deploymentName } from '../../../core/tokens/token-key';
import { LAST_WATCH_RUN, LAST_SWEEPS } from './alarm-condition';
import { type CredentialRotator } from '../credentials/credential-rotator';
import { type CredentialWatch } from './credential-watch';
import { credentialWidgets } from './credential-widgets';
import { type DeploymentAlarms } from './deployment-alarms';
import { type RestoreApi } from '../restore/restore-api';
import { restoreWidgets } from './restore-widgets';
import { type TokenRefresher } from '../tokens/token-refresher';
import { tokenWidgets } from './token-widgets';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';

export interface DeploymentDashboardProps {
  readonly deployment: DeploymentSettings;
  readonly alarms: DeploymentAlarms;
  readonly tokenRefresher: TokenRefresher;
  readonly credentialRotator: CredentialRotator;
  readonly credentialWatch: CredentialWatch;
  /** @default none, and no widgets for it */
  readonly restoreApi?: RestoreApi;
}

const WIDTH = 24;
const MAX_TENANTS = 10;

/**
 * The name of a deployment's dashboard. Dashboards have no region: those of one account need different names.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutDashboard.html
 */
export function dashboardName(prefix: string, deployment: DeploymentKey, region: string): string {
  return `${prefix}-${deploymentName(deployment)}-${region}`;
}

/** The dashboard of a deployment: alarms at the top, then tokens, credentials and restores. */
export class DeploymentDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DeploymentDashboardProps) {
    super(scope, id);
    withDeployment(this, props);
    const { tokenRefresher, credentialRotator, credentialWatch, restoreApi } = props;
    const deployment = props.deployment.file;
    const { maxAgeDays } = deployment.credentials;
    const { fullMonitoring } = deployment;
    const thresholds = { ...props.deployment.options.alarms, fullMonitoring };
    const sections: [title: string, widgets: cloudwatch.IWidget[]][] = [
      ['Tokens', tokenWidgets(tokenRefresher, thresholds, deployment)],
      ['Credentials', credentialWidgets(credentialWatch, credentialRotator, { ...thresholds, maxAgeDays })],
      ...(restoreApi === undefined
        ? []
        : [['Restore', restoreWidgets(restoreApi, thresholds)] satisfies (typeof sections)[number]]),
    ];
    new cloudwatch.Dashboard(this, 'Resource', {
      dashboardName: dashboardName(deployment.prefix, deployment, Stack.of(this).region),
      defaultInterval: Duration.hours(24),
      widgets: [
        [this.deploymentAlarms(props.alarms)],
        ...(deployment.tenants.length === 0 ? [] : [tenantWidgets(deployment)]),
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
}

/**
 * The tenants that need attention, at most {@link MAX_TENANTS} in each graph. They are searched when the dashboard is opened:
 * a template with the names of a few thousand alarms would be too large for CloudFormation.
 */
function tenantWidgets(deployment: DeploymentFile): cloudwatch.IWidget[] {
  const graphOf = (title: string, metric: Metric, statistic: string, period: Duration) =>
    new cloudwatch.GraphWidget({
      title: `${title}: ${MAX_TENANTS} tenants at most`,
      left: [mostAffected(deployment, metric, statistic, period)],
      leftYAxis: { min: 0, showUnits: false },
      width: WIDTH / 2,
      height: 4,
    });
  return [
    graphOf('Rejected credentials', 'CredentialRefused', cloudwatch.Stats.SUM, LAST_SWEEPS),
    graphOf(
      'Credentials that need attention',
      'CredentialAttention',
      cloudwatch.Stats.MINIMUM,
      LAST_WATCH_RUN,
    ),
    heading(`Tenant alarms: \`latchkey status ${placeFlags(deployment)}\` lists them all`),
  ];
}

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html */
function mostAffected(
  deployment: DeploymentFile,
  metric: Metric,
  statistic: string,
  period: Duration,
): cloudwatch.IMetric {
  const dimensions = Object.entries(deploymentDimensions(deployment));
  const schema = [METRIC_NAMESPACE, ...dimensions.map(([name]) => name), 'tenantId'].join(',');
  const values = dimensions.map(([name, value]) => `${name}="${value}"`).join(' ');
  const search = `SEARCH('{${schema}} MetricName="${metric}" ${values}', '${statistic}', ${period.toSeconds()})`;
  return new cloudwatch.MathExpression({
    expression: `SORT(${search}, MAX, DESC, ${MAX_TENANTS})`,
    label: "${PROP('Dim.tenantId')}",
    period,
  });
}

function heading(title: string): cloudwatch.IWidget {
  // Named, because the default of aws-cdk-lib changed in 2.276.
  const background = cloudwatch.TextWidgetBackground.TRANSPARENT;
  return new cloudwatch.TextWidget({ markdown: `## ${title}`, width: WIDTH, height: 1, background });
}
