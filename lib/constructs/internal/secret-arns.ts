import { ArnFormat, Stack } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

/** Whose secrets are meant, where it is not the stack's own account and AWS region. */
export interface SecretOwner {
  /** @default the account of the stack */
  readonly account?: string;
  /** @default the AWS region of the stack */
  readonly region?: string;
}

/**
 * The ARN pattern of the secrets whose names match.
 * Secrets Manager appends `-` and six characters to a name, which six question marks stand for: with `*` instead,
 * a name that goes on where this one ends would match too.
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
