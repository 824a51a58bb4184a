import * as logs from 'aws-cdk-lib/aws-logs';
import { type Construct } from 'constructs';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { HISTORY_FIELDS, RESTORE_LOG_MESSAGE } from '../../../core/restore/restore-audit';
import { deploymentName } from '../../../core/tokens/token-key';

/**
 * Saves a CloudWatch Logs Insights query that shows who restored what, in a folder of the deployment.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-querydefinition.html
 */
export function createHistoryQuery(
  scope: Construct,
  deployment: DeploymentFile,
  logGroup: logs.ILogGroup,
): void {
  new logs.QueryDefinition(scope, 'History', {
    queryDefinitionName: `${deployment.prefix}/${deploymentName(deployment)}/restores`,
    logGroups: [logGroup],
    queryString: new logs.QueryString({
      fields: ['@timestamp', ...HISTORY_FIELDS],
      filterStatements: [`message = "${RESTORE_LOG_MESSAGE}"`],
      sort: '@timestamp desc',
      limit: 1000,
    }),
  });
}
