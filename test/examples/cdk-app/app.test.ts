import { parseConfiguration } from '../../../lib/options/load';
import { Synthesis, synthesizeOnce, type Template } from '../../support/lib/synthesis';
import { InstalledExample } from '../../support/package/installed-example';

const CONTENT_BASE_URL = 'https://api.staging.platform.example/rest/v1';
const SAME_SETTINGS = parseConfiguration(
  {
    endpoints: {
      staging: {
        global: {
          contentBaseUrl: CONTENT_BASE_URL,
          contentTokenBaseUrl: 'https://auth.staging.platform.example',
        },
      },
    },
    deployments: [
      {
        environment: 'staging',
        account: '111122223333',
        region: 'eu-west-1',
        tenants: [{ tenantId: 'eu-west-2_StagingAb', tokens: [{ interface: 'content', scope: 'api/read' }] }],
      },
    ],
  },
  'the same settings',
);

describe('the stack of the example cdk-app', () => {
  let example: InstalledExample;
  let synthesis: Synthesis;

  beforeAll(async () => {
    example = new InstalledExample('cdk-app');
    await example.compile();
    synthesis = new Synthesis((await example.synthesize()).assembly);
  });
  afterAll(() => example.remove());

  it('lets its service read one token and ask for a fresh one, and nothing else', () => {
    const service = synthesis
      .resources('AWS::IAM::Policy')
      .find(({ logicalId }) => logicalId.startsWith('Service'))!;
    const { Statement } = service.Properties.PolicyDocument as {
      Statement: { Action: string; Resource: unknown }[];
    };

    expect(Statement.map(({ Action }) => Action).sort()).toEqual([
      'kms:Decrypt',
      'lambda:InvokeFunction',
      'secretsmanager:GetSecretValue',
    ]);
    expect(JSON.stringify(Statement)).not.toContain('"*"');
  });

  it('has all resources of a configuration with the same settings, with the same properties', () => {
    const expected = resourcesOf(synthesizeOnce(SAME_SETTINGS));
    const own = resourcesOf(synthesis, (logicalId) => logicalId.startsWith('Latchkey'));

    expect(expected.length).toBeGreaterThan(50);
    expect(own).toEqual(expected);
  });
});

/** A name that the CDK derives from an id, or the digest of a text with such a name. */
const GENERATED_NAME = /^([A-Za-z0-9]+[0-9A-F]{8}|[0-9a-f]{16})$/;

/**
 * Type and properties of all resources, sorted, without what follows from their ids and stacks: a reference is the type of
 * its target, through SSM parameters and stacks.
 */
function resourcesOf(synthesis: Synthesis, counts: (logicalId: string) => boolean = () => true): string[] {
  const templates = synthesis
    .stackNames()
    .map((name) => synthesis.template(name) as Template & Parameterized);
  const published = new Map(
    templates.flatMap((template) =>
      Object.values(template.Resources)
        .filter(({ Type }) => Type === 'AWS::SSM::Parameter')
        .map(({ Properties }) => [Properties.Name as string, plain(Properties.Value, template)] as const),
    ),
  );

  function plain(value: unknown, template: Template & Parameterized): unknown {
    if (typeof value === 'string') return value.replace(GENERATED_NAME, '(generated)');
    if (Array.isArray(value)) return value.map((each) => plain(each, template));
    if (typeof value !== 'object' || value === null) return value;
    const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
    if (attribute !== undefined) return `${typeOf(attribute[0], template)}.${attribute[1]}`;
    if (Ref !== undefined) {
      const parameter = template.Parameters?.[Ref];
      if (parameter?.Default !== undefined && published.has(parameter.Default))
        return published.get(parameter.Default);
      return Ref.startsWith('AWS::') ? Ref : typeOf(Ref, template);
    }
    const fields = Object.entries(value).map(([name, each]) => [name, plain(each, template)]);
    return Object.fromEntries(fields) as unknown;
  }

  return templates
    .flatMap((template) =>
      Object.entries(template.Resources)
        .filter(([logicalId, { Type }]) => counts(logicalId) && Type !== 'AWS::CDK::Metadata')
        .map(([, { Type, Properties }]) => `${Type} ${JSON.stringify(plain(Properties, template))}`),
    )
    .sort();
}

interface Parameterized {
  Parameters?: Record<string, { Default?: string }>;
}

function typeOf(logicalId: string, { Resources }: Template): string {
  return Resources[logicalId]?.Type ?? logicalId;
}
