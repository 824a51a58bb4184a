import { EDGES } from '../support/lib/edge';
import { DEPLOYMENTS, synthesizedIn } from '../support/lib/partitions';

/** Every text in a value, with the key that it stands under. */
function texts(value: unknown, under = ''): { under: string; text: string }[] {
  if (typeof value === 'string') return [{ under, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => texts(item, Array.isArray(value) ? under : key));
}

/** Where a service is named by its principal, which is the same in every partition. */
const PRINCIPALS = ['Service', 'Principal', 'iam:PassedToService'];

describe.each([
  ['cn-north-1', 'aws-cn', 'console.amazonaws.cn'],
  ['us-gov-west-1', 'aws-us-gov', 'console.amazonaws-us-gov.com'],
])('a deployment in %s', (region, partition, console) => {
  const all = DEPLOYMENTS.map((deployment) => synthesizedIn(region, partition, deployment));
  const found = all.flatMap((synthesis) => [
    ...synthesis.assembly.stacks.flatMap(({ template }) => texts(template)),
    ...synthesis.deploymentFiles().flatMap((file) => texts(file)),
  ]);

  it('names no other partition in an ARN', () => {
    const arns = found.filter(({ text }) => /\barn:[^$]/.test(text)).map(({ text }) => text);

    expect(arns).not.toEqual([]);
    expect(arns.filter((text) => !text.includes(`arn:${partition}:`))).toEqual([]);
  });

  it('names no address of the partition aws', () => {
    const addresses = found.filter(
      ({ under, text }) =>
        /amazonaws|aws\.amazon|\.api\.aws/.test(text) &&
        !text.startsWith(`https://${console}/`) &&
        under !== 'kms:ViaService' &&
        // With any ending, since a service may have another name in a partition.
        !(under === 'aws:CalledVia' && text === 'cloudformation.amazonaws.com*') &&
        !(PRINCIPALS.includes(under) && /^[a-z]+\.amazonaws\.com$/.test(text)),
    );

    expect(addresses).toEqual([]);
    expect(found.filter(({ under }) => PRINCIPALS.includes(under)).length).toBeGreaterThan(10);
  });
});

it('keys in China are used through either name of Secrets Manager there', () => {
  const [usual] = DEPLOYMENTS.map((deployment) => synthesizedIn('cn-north-1', 'aws-cn', deployment));
  const names = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, item]): unknown[] =>
      key === 'kms:ViaService' ? [item] : names(item),
    );
  };
  const found = names(usual!.resources());

  // Those of the functions and the operators, and that of the key for the reader account.
  expect(found.length).toBeGreaterThan(5);
  for (const each of found) {
    expect(each).toEqual([
      { 'Fn::Join': ['', ['secretsmanager.cn-north-1.', { Ref: 'AWS::URLSuffix' }]] },
      'secretsmanager.cn-north-1.amazonaws.com',
    ]);
  }
});

const STRICT = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
it.each([
  // "Policy that start with SecurityPolicy_ are not supported": govcloud-abp
  ['us-gov-west-1', 'aws-us-gov', {}, { SecurityPolicy: 'TLS_1_2' }],
  ['cn-north-1', 'aws-cn', STRICT, STRICT],
])(
  'the TLS of the restore API in %s is what API Gateway offers there',
  (region, partition, ofApi, ofDomain) => {
    const synthesis = synthesizedIn(region, partition, { restoreApi: EDGES.domain });
    const tlsOf = (type: string) => {
      const { SecurityPolicy, EndpointAccessMode } = synthesis.only(`AWS::ApiGateway::${type}`).Properties;
      return { SecurityPolicy, EndpointAccessMode };
    };

    expect(tlsOf('RestApi')).toEqual(ofApi);
    expect(tlsOf('DomainName')).toEqual(ofDomain);
  },
);
