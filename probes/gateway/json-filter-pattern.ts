import { FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { InvokeCommand } from '@aws-sdk/client-lambda';

import { differs, type Probe, verdictOf } from '../probe';
import { allow, arnOf, outputs, role, tagsOf, withStack } from '../templates';

/** Those that the pattern must match, and others that look like them. */
const LINES = [
  { code: 'Abc', event: 'one' },
  { code: 'abc', event: 'one' },
  { code: 'Abcd', event: 'one' },
  { code: 'Abc', event: 'two' },
  { inner: { code: 'Abc', event: 'one' } },
];
const PATTERN = '{ ($.code = "Abc") && ($.event = "one") }';
/** How long a line may take until it can be found. */
const INGESTED_SEC = 120;

export const jsonFilterPattern: Probe = {
  id: 'json-filter-pattern',
  group: 'gateway',
  subject: 'A JSON filter pattern of `FilterLogEvents` on lines that the functions write',
  reliedOn: 'it matches a top-level text field exactly, in its case',
  otherwise: '`latchkey restore history` finds nothing, or too much',
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html'],
  look: (system) => {
    const template = {
      Resources: {
        Log: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 1, Tags: tagsOf(system) } },
        FunctionRole: role(system, 'lambda.amazonaws.com', [
          allow(['logs:CreateLogStream', 'logs:PutLogEvents'], arnOf('Log')),
        ]),
        Function: {
          Type: 'AWS::Lambda::Function',
          Properties: {
            Code: {
              ZipFile:
                'exports.handler = async (lines) => { for (const line of lines) process.stdout.write(JSON.stringify(line) + "\\n"); };',
            },
            ...{ Handler: 'index.handler', Runtime: 'nodejs22.x', Timeout: 10, Role: arnOf('FunctionRole') },
            LoggingConfig: { LogGroup: { Ref: 'Log' } },
            Tags: tagsOf(system),
          },
        },
      },
      Outputs: outputs({ FunctionName: { Ref: 'Function' }, LogGroup: { Ref: 'Log' } }),
    };
    return withStack(system, template, async ({ FunctionName, LogGroup: logGroupName }) => {
      const { lambda, logs } = system.aws;
      const Payload = Buffer.from(JSON.stringify(LINES));
      await lambda.send(new InvokeCommand({ FunctionName, Payload }));
      const find = async (filterPattern: string) => {
        const { events = [] } = await logs.send(new FilterLogEventsCommand({ logGroupName, filterPattern }));
        return events.map(({ message = '' }) => message.trim());
      };
      const written = await system.time.until(
        async () => ((await find('"code"')).length >= LINES.length ? true : undefined),
        { withinSec: INGESTED_SEC },
      );
      if (!written) return differs('the lines of the function cannot be found');
      const found = await find(PATTERN);
      return verdictOf(
        found.length === 1 && found[0] === JSON.stringify(LINES[0]),
        `of ${LINES.length} lines, the pattern matches ${found.length}`,
      );
    });
  },
};
