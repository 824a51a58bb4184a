import { Duration } from 'aws-cdk-lib';
import { type Construct } from 'constructs';

import { allow } from '../internal/allow';
import { deploymentText } from '../../../core/tokens/token-key';
import { type RestoreEnvironment } from '../../../lambdas/restore/environment';
import { type DeploymentSettings } from '../deployment-settings';
import { ownPolicyOf } from '../internal/acknowledge';
import { acknowledgeWildcards, BY_PATH } from '../internal/acknowledge-wildcards';
import { BundledFunction, type BundledFunctionProps } from '../internal/bundled-function';
import { acknowledgeNoDeadLetters } from '../internal/deliver-failures';
import { keyStatement } from '../internal/key-statement';
import { credentialArns, tokenArnPattern } from '../internal/secret-arns';

export interface RestoreFunctionsProps {
  readonly deployment: DeploymentSettings;
  readonly tokenRefreshArn: string;
  /** For the restore function. @default its logs are kept like those of any function */
  readonly auditRetentionDays?: BundledFunctionProps['auditRetentionDays'];
}

/** The restore function. It reads the `api/write` tokens and can have them renewed. */
export function createRestoreFunction(scope: Construct, props: RestoreFunctionsProps): BundledFunction {
  const { deployment, tokenRefreshArn, auditRetentionDays } = props;
  const environment = { TOKEN_REFRESH_ARN: tokenRefreshArn } satisfies RestoreEnvironment;
  const restore = new BundledFunction(scope, 'Restore', {
    bundleName: 'restore',
    description: `restore of ${deploymentText(deployment.file)}`,
    deployment,
    // Below API Gateway's 29 s, so that the function itself reports a timeout.
    timeout: Duration.seconds(28),
    auditRetentionDays,
    environment,
  });
  const tokens = [tokenArnPattern(scope, deployment.file, 'content/api-write')];
  allowReading(restore, ['secretsmanager:GetSecretValue'], tokens, props);
  allow(restore.role, ['lambda:InvokeFunction'], [tokenRefreshArn]);
  acknowledgeNoDeadLetters(restore);
  acknowledgeWildcards(ownPolicyOf(restore.role), tokens, BY_PATH);
  return restore;
}

/** The authorizer function. It reads API keys and tokens, never client secrets. */
export function createAuthorizerFunction(scope: Construct, props: RestoreFunctionsProps): BundledFunction {
  const { deployment } = props;
  const authorizer = new BundledFunction(scope, 'Authorizer', {
    bundleName: 'authorizer',
    description: `authorizer of ${deploymentText(deployment.file)}`,
    deployment,
    timeout: Duration.seconds(10),
  });
  acknowledgeNoDeadLetters(authorizer);
  const apiKeys = credentialArns(scope, deployment.file, ['api-key']);
  const tokens = tokenArnPattern(scope, deployment.file, 'content/*');
  const read = ['secretsmanager:GetSecretValue'];
  allowReading(authorizer, [...read, 'secretsmanager:DescribeSecret'], apiKeys.all, props, apiKeys.keys);
  allowReading(authorizer, read, [tokens], props);
  acknowledgeWildcards(ownPolicyOf(authorizer.role), [...apiKeys.patterns, tokens], BY_PATH);
  return authorizer;
}

function allowReading(
  reader: BundledFunction,
  actions: string[],
  secretArns: string[],
  { deployment }: RestoreFunctionsProps,
  adoptedKeyArns: readonly string[] = [],
): void {
  allow(reader.role, actions, secretArns);
  const { encryptionKeyArn: keyArn, formerKeyArns = [] } = deployment.keys;
  const otherKeyArns = [...adoptedKeyArns, ...formerKeyArns];
  reader.role.addToPrincipalPolicy(
    keyStatement(reader, { keyArn, otherKeyArns, secretArns, actions: ['kms:Decrypt'] }),
  );
}
