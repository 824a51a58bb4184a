import { join } from 'node:path';

import { type Configuration } from '../../lib/options/schema';
import { loadConfiguration } from '../../lib/options/load';
import { configuration } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { type PlacedResource, type Synthesis, synthesizeOnce } from '../support/lib/synthesis';

const VPC = { vpcId: 'vpc-0a', subnetIds: ['subnet-0a'], securityGroupIds: ['sg-0a'] };
const DAYS = 30;

interface MethodSetting {
  LoggingLevel?: string;
}

/** The declared groups of a stack by logical id, with their days of retention. */
function groupsOf(synthesis: Synthesis, stack: string): Map<string, unknown> {
  const groups = synthesis.resourcesOf(stack, 'AWS::Logs::LogGroup');
  return new Map(groups.map(({ logicalId, Properties }) => [logicalId, Properties.RetentionInDays]));
}

/** The logical id of the group to which a function, or a stage's access log, writes. */
function groupOf({ Type, Properties }: PlacedResource): string | undefined {
  const target =
    Type === 'AWS::Lambda::Function'
      ? (Properties.LoggingConfig as { LogGroup?: unknown } | undefined)?.LogGroup
      : (Properties.AccessLogSetting as { DestinationArn?: unknown } | undefined)?.DestinationArn;
  return /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(target) ?? '')?.[1];
}

describe.each<[string, Configuration]>([
  ['config/local.json', loadConfiguration(join(__dirname, '../../config/local.json'))],
  ...Object.entries(EDGES).map(([name, restoreApi]): [string, Configuration] => [
    name,
    configuration({ restoreApi, logRetentionDays: DAYS }),
  ]),
  ['an audit log', configuration({ logRetentionDays: DAYS, restoreApi: { auditRetentionDays: 731 } })],
  ['a VPC', configuration({ logRetentionDays: DAYS, vpc: VPC })],
])('with %s', (_, value) => {
  const synthesis = synthesizeOnce(value);
  const writers = ['AWS::Lambda::Function', 'AWS::ApiGateway::Stage'].flatMap((type) =>
    synthesis.resources(type),
  );

  it('every function and access log writes to a declared log group that does not keep its lines forever', () => {
    expect(writers.length).toBeGreaterThan(0);
    for (const writer of writers) {
      const days = groupsOf(synthesis, writer.stack).get(groupOf(writer) ?? 'none');
      expect({ id: writer.logicalId, days }).toEqual({
        id: writer.logicalId,
        days: expect.any(Number) as number,
      });
    }
  });

  // https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-execution-logging.html
  it('API Gateway does not create a log group of its own for execution logs', () => {
    for (const { Properties } of synthesis.resources('AWS::ApiGateway::Stage')) {
      const levels = (Properties.MethodSettings as MethodSetting[]).map(({ LoggingLevel }) => LoggingLevel);
      // Named, because an update that only leaves the level out may keep the old one.
      expect(levels).toEqual(['OFF']);
    }
  });

  it('no resource runs a function that is not in the templates', () => {
    expect(
      synthesis.resources().filter(({ Type }) => /^Custom::|CustomResource$|::Stack$/.test(Type)),
    ).toEqual([]);
  });
});
