import { FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { GetParameterCommand } from '@aws-sdk/client-ssm';

import { parameterName } from '../../contract/parameter-names';
import { type Probe, verdictOf } from '../probe';
import { basic, outcomeOf, prefixOf, restore, runJson } from '../with-latchkey';

/** CloudWatch Logs finds a line after some seconds. */
const LOGGED_SEC = 120;

export const restoreHistory: Probe = {
  id: 'restore-history',
  group: 'journeys',
  subject: 'A JSON filter pattern of `FilterLogEvents` on lines that the functions write: who restored what',
  reliedOn:
    'it matches a top-level text field exactly, in its case; `latchkey restore history` shows a restore within two minutes',
  otherwise: '`latchkey restore history` finds nothing, or restores of others',
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html'],
  needs: 'latchkey',
  async look({ latchkey, time, aws }) {
    const tenant = latchkey.tenants[0]!;
    const contentId = await tenant.archivedContent();
    const headers = basic(tenant, await tenant.apiKey());
    const outcome = outcomeOf(await restore(latchkey, tenant, { headers }, contentId));
    const args = ['restore', 'history', '--tenant', tenant.tenantId, '--content-id', contentId];
    const found = await time.until(
      async () => {
        const { restores = [] } = (await runJson(latchkey, args)).document as { restores?: object[] };
        return restores.length || undefined;
      },
      { withinSec: LOGGED_SEC },
    );

    const name = parameterName(prefixOf(latchkey), latchkey, 'restore-log-group');
    const { Parameter } = await aws.ssm.send(new GetParameterCommand({ Name: name }));
    const linesWith = async (value: string) => {
      const filterPattern = `{ $.contentId = "${value}" }`;
      const { events = [] } = await aws.logs.send(
        new FilterLogEventsCommand({ logGroupName: Parameter!.Value!, filterPattern }),
      );
      return events.length;
    };
    const exact = await linesWith(contentId);
    const others = (await linesWith(contentId.toUpperCase())) + (await linesWith(contentId.slice(1)));
    return verdictOf(
      found === 1 && exact === 1 && others === 0,
      `${outcome}; in the history: ${found ?? 0}; lines with its id: ${exact}, in other case or a part of it: ${others}`,
    );
  },
};
