import { DeleteLogGroupCommand, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';

import { type Probe, verdictOf } from '../probe';
import { withRestApi } from '../rest-api';

/** How long API Gateway may take to write to a new group. */
const LOGGED_SEC = 60;

export const executionLogs: Probe = {
  id: 'execution-logs',
  group: 'gateway',
  subject: 'A stage whose execution logging is switched off',
  reliedOn: 'API Gateway creates no group `API-Gateway-Execution-Logs_…`',
  otherwise: 'a log group without retention',
  sources: ['https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html'],
  look: (system) => {
    const stage = { MethodSettings: [{ ResourcePath: '/*', HttpMethod: '*', LoggingLevel: 'OFF' }] };
    return withRestApi(system, { stage }, async (api) => {
      await api.ready('/one');
      const { logs } = system.aws;
      const group = await system.time.until(
        async () => {
          const logGroupNamePrefix = `API-Gateway-Execution-Logs_${api.outputs.ApiId}/`;
          const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix }));
          return logGroups[0];
        },
        { withinSec: LOGGED_SEC, everySec: 20 },
      );
      if (group) await logs.send(new DeleteLogGroupCommand({ logGroupName: group.logGroupName }));
      return verdictOf(group === undefined, `${group ? 'a' : 'no'} log group a minute after a request`);
    });
  },
};
