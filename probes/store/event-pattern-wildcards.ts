import { DeploymentFailed } from '../system';
import { asReliedOn, differs, type Probe } from '../probe';
import { withStack } from '../templates';

/** As many as a deployment's functions and the readers that its configuration may name. */
const FUNCTIONS = ['token-refresh', 'restore', 'rotate-credentials', 'credential-watch', 'authorizer'];
const READERS = [
  'role/team-*/reader-*',
  'role/aws-reserved/sso.amazonaws.com/*/AWSReservedSSO_Support_*',
  'role/ci-*',
];
const USERS = ['user/ops/*', 'user/*-support'];
const KINDS = ['client-credentials', 'api-key'];

export const eventPatternWildcards: Probe = {
  id: 'event-pattern-wildcards',
  group: 'store',
  subject: 'Event patterns with several wildcards, also in `anything-but`',
  reliedOn: 'EventBridge accepts them as not too complex',
  otherwise: 'a deployment with `auditSecrets` fails, and is rolled back',
  sources: [
    'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html#eb-filtering-wildcard-matching-complexity',
  ],
  async look(system) {
    const { partition, region, accountId } = system.place;
    const iamArn = (resource: string) => `arn:${partition}:iam::${accountId}:${resource}`;
    const secret = (name: string) => `arn:${partition}:secretsmanager:${region}:${accountId}:secret:${name}*`;
    const names = KINDS.map((kind) => `${system.prefix}/staging/global/*/${kind}`);
    const roles = [...FUNCTIONS.map((name) => `role/${system.prefix}-${name}`), ...READERS].map(iamArn);
    const issuer = (arn: unknown) => ({ sessionContext: { sessionIssuer: { arn: [arn] } } });
    const template = {
      Resources: {
        Reads: {
          Type: 'AWS::Events::Rule',
          Properties: {
            State: 'DISABLED',
            EventPattern: {
              source: ['aws.secretsmanager'],
              'detail-type': ['AWS API Call via CloudTrail'],
              detail: {
                eventSource: ['secretsmanager.amazonaws.com'],
                eventName: ['GetSecretValue'],
                requestParameters: {
                  secretId: names.flatMap((name) => [{ wildcard: name }, { wildcard: secret(name) }]),
                },
                $or: [
                  { userIdentity: issuer({ 'anything-but': { wildcard: roles } }) },
                  {
                    userIdentity: {
                      ...issuer({ exists: false }),
                      arn: [{ 'anything-but': { wildcard: USERS.map(iamArn) } }, { exists: false }],
                    },
                  },
                ],
              },
            },
          },
        },
      },
    };
    try {
      return await withStack(system, template, async () =>
        asReliedOn(
          `a rule with ${2 * names.length} and ${roles.length + USERS.length} wildcard patterns was created`,
        ),
      );
    } catch (error) {
      if (!(error instanceof DeploymentFailed) || error.status === undefined) throw error;
      return differs(`the rule was refused (${error.status})`);
    }
  },
};
