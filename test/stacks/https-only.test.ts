import { type Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';

import { addStacks } from '../../lib/stacks/add-stacks';
import { configuration, written } from '../support/lib/configuration';
import { faultsOf } from '../support/lib/faults';
import { temporaryApp } from '../support/lib/synthesis';

/** One deployment with one tenant, as `addStacks` adds them to any CDK app. */
const app = temporaryApp();
addStacks(
  app,
  configuration({
    restoreApi: {
      domain: {
        name: 'restore.example.org',
        certificateArn: 'arn:aws:acm:eu-west-1:222233334444:certificate/0f0f0f0f',
      },
    },
  }),
);
const stack = (name: string): Stack => app.node.findChild(name) as Stack;
const deployment = Template.fromStack(stack('latchkey-staging-global'));
const tenant = Template.fromStack(stack('latchkey-staging-global-tenant-a'));

describe('the configuration', () => {
  it.each([
    ['http://api.platform.example/rest/v1', 'scheme http'],
    ['ftp://api.platform.example', 'scheme ftp'],
    ['api.platform.example', 'not a URL'],
  ])('refuses %s as the platform’s address', (address, why) => {
    const value = written();
    value.endpoints.staging!.global!.contentBaseUrl = address;

    expect(faultsOf(value)).toEqual([
      `endpoints.staging.global.contentBaseUrl: found "${address} (${why})"; ` +
        'allowed: an https URL with a host name, without user info, port, query or fragment',
    ]);
  });

  it('accepts https', () => {
    expect(faultsOf(written())).toEqual([]);
  });
});

describe('the template', () => {
  it.each([
    ['the deployment', deployment],
    ['the tenant', tenant],
  ])('of %s has no URL without TLS', (_, template) => {
    expect(JSON.stringify(template.toJSON())).not.toMatch(/\b(http|ws|ftp):\/\//i);
  });

  it('requires TLS 1.2 or later of callers of the restore API’s domain', () => {
    deployment.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'restore.example.org',
      SecurityPolicy: Match.stringLikeRegexp('^SecurityPolicy_TLS1[23]_'),
    });
  });
});

describe('the policy', () => {
  /** A statement that denies everyone these actions over plain HTTP. */
  const deniesPlainHttp = (Action: string, Principal: unknown = { AWS: '*' }) => ({
    Statement: Match.arrayWith([
      Match.objectLike({
        Effect: 'Deny',
        Principal,
        Action,
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    ]),
  });

  it('of every secret denies each request over plain HTTP', () => {
    const secrets = Object.keys(tenant.findResources('AWS::SecretsManager::Secret'));

    expect(secrets).toHaveLength(3);
    for (const secret of secrets) {
      tenant.hasResourceProperties('AWS::SecretsManager::ResourcePolicy', {
        SecretId: { Ref: secret },
        ResourcePolicy: deniesPlainHttp('secretsmanager:*'),
      });
    }
  });

  it('of the restore API denies calls, of every queue and topic messages over plain HTTP', () => {
    deployment.allResourcesProperties('AWS::ApiGateway::RestApi', {
      Policy: deniesPlainHttp('execute-api:Invoke'),
    });
    deployment.allResourcesProperties('AWS::SQS::QueuePolicy', { PolicyDocument: deniesPlainHttp('sqs:*') });
    deployment.allResourcesProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: deniesPlainHttp('sns:Publish', '*'),
    });
  });
});
