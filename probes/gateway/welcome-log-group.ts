import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';

import { asReliedOn, type Probe, verdictOf } from '../probe';

const NAME = '/aws/apigateway/welcome';
/** Room for some hundred changes of the role. */
const FEW_BYTES = 50_000;

export const welcomeLogGroup: Probe = {
  id: 'welcome-log-group',
  group: 'gateway',
  subject: 'The log group `/aws/apigateway/welcome`',
  reliedOn: "at most one line each time that an account's logging role is set; it belongs to no stack",
  otherwise: 'logs that nobody deletes',
  sources: ['https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html'],
  async look({ aws }) {
    const { logGroups = [] } = await aws.logs.send(
      new DescribeLogGroupsCommand({ logGroupNamePrefix: NAME }),
    );
    const group = logGroups.find(({ logGroupName }) => logGroupName === NAME);
    if (group === undefined) return asReliedOn('there is none');
    const { storedBytes = 0 } = group;
    return verdictOf(storedBytes < FEW_BYTES, `${storedBytes} bytes`);
  },
};
