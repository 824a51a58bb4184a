import { ArnFormat, Stack } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

/** The account and AWS region of the secrets. */
export interface SecretOwner {
  /** @default the account of the stack */
  readonly account?: string;
  /** @default the AWS region of the stack */
  readonly region?: string;
}

/**
 * The ARN pattern of the secrets with a name or name pattern.
 * Ends with `-??????`, because Secrets Manager appends `-` and six characters to a name. `*` would also match longer
 * names.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_iam-policies.html
 */
export function secretArnPattern(scope: IConstruct, name: string, owner: SecretOwner = {}): string {
  return Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    account: owner.account,
    region: owner.region,
  });
}
