import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';

import { KIND_TAG } from '../../../contract/credential-labels';
import { parameterName } from '../../../contract/parameter-names';
import { DEFAULT_PREFIX, tokenSecretName } from '../../../contract/secret-names';
import { deploymentName, type TokenKey, tokenTypeName } from '../../../contract/token-key';
import { type EncryptionKeys, keyStatement } from '../internal/key-statement';
import { secretArnPattern } from '../internal/secret-arns';
import { type OnlyReaders, SecretShell } from '../internal/secret-shell';

export interface TokenSecretProps extends EncryptionKeys {
  /** @default latchkey */
  readonly prefix?: string;
  readonly key: TokenKey;
  /** Other accounts that may allow their roles to read the token. @default none */
  readonly readerAccounts?: string[];
  /** Who may read the token, besides `readerAccounts`. @default IAM policies decide */
  readonly onlyReaders?: OnlyReaders;
}

/** Where to find a token whose secret another stack created. */
export interface ForeignTokenOptions {
  /** @default latchkey */
  readonly prefix?: string;
  /**
   * Keys that the token may be encrypted with besides the deployment's, while that changes: the one before and the next.
   * @default none
   */
  readonly otherKeyArns?: string[];
  /**
   * Account, AWS region and resources of a deployment in another account or region. Needed because SSM parameters cannot
   * be read across accounts.
   * @default the stack's account and region, and the deployment's SSM parameters
   */
  readonly owner?: {
    readonly account: string;
    readonly region: string;
    readonly encryptionKeyArn: string;
    readonly tokenRefreshArn?: string;
  };
}

/** A token that Latchkey keeps fresh in Secrets Manager. */
export interface ITokenSecret {
  /** The secret's ARN; if another stack created the secret, a pattern that matches only this secret. */
  readonly secretArn: string;
  /** Grants reading this token and nothing else. */
  grantReadToken(grantee: iam.IGrantable): iam.Grant;
  /** Grants requesting a valid token from token-refresh. The response contains no token. */
  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant;
}

/** Shared by the secret itself and references to it from other stacks. */
abstract class TokenSecretBase extends Construct implements ITokenSecret {
  abstract readonly secretArn: string;
  protected abstract readonly encryptionKeyArn: string;
  protected abstract readonly otherKeyArns: readonly string[];
  /** AWS region of the secret. */
  protected abstract readonly region: string;
  protected abstract tokenRefreshArn(): string;

  grantReadToken(grantee: iam.IGrantable): iam.Grant {
    grantee.grantPrincipal.addToPrincipalPolicy(
      keyStatement(this, {
        keyArn: this.encryptionKeyArn,
        otherKeyArns: this.otherKeyArns,
        secretArns: [this.secretArn],
        actions: ['kms:Decrypt'],
        region: this.region,
      }),
    );
    return iam.Grant.addToPrincipal({
      grantee,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
  }

  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant {
    return iam.Grant.addToPrincipal({
      grantee,
      actions: ['lambda:InvokeFunction'],
      resourceArns: [this.tokenRefreshArn()],
    });
  }
}

/** The secret of one token key. Deleting it is harmless: token-sweep fills a new one. */
export class TokenSecret extends TokenSecretBase {
  /**
   * A reference to a token from another stack, repository or account.
   * In the same account, only the key is needed. From another account, pass `owner`, and list the account in the token's
   * `readerAccounts`.
   */
  static fromKey(scope: Construct, key: TokenKey, options: ForeignTokenOptions = {}): ITokenSecret {
    const target = tokenTypeName(key, '-');
    const place = [options.prefix, options.owner?.account, options.owner?.region].filter(
      (part) => part !== undefined,
    );
    const id = ['Token', deploymentName(key), key.tenantId, target, ...place].join('-');
    const known = scope.node.tryFindChild(id) as ForeignTokenSecret | undefined;
    return known ?? new ForeignTokenSecret(scope, id, key, options);
  }

  readonly secretArn: string;
  protected readonly encryptionKeyArn: string;
  protected readonly otherKeyArns: readonly string[];
  protected readonly region: string;
  private readonly key: TokenKey;
  private readonly prefix: string;

  constructor(scope: Construct, id: string, props: TokenSecretProps) {
    super(scope, id);
    const { key, encryptionKeyArn, formerKeyArns = [], prefix = DEFAULT_PREFIX } = props;
    const { readerAccounts, onlyReaders } = props;
    this.key = key;
    this.prefix = prefix;
    this.encryptionKeyArn = encryptionKeyArn;
    this.otherKeyArns = formerKeyArns;
    this.region = Stack.of(this).region;
    this.secretArn = new SecretShell(this, 'Shell', {
      secretName: tokenSecretName(prefix, key),
      description: `${key.interface} token ${key.scope} of ${key.tenantId} on ${key.environment} ${key.platformRegion}`,
      encryptionKeyArn,
      tags: { [KIND_TAG]: 'token' },
      removalPolicy: RemovalPolicy.DESTROY,
      noRotationReason:
        'Replaced by token-sweep every 40 minutes, more often than Secrets Manager can rotate.',
      readerAccounts,
      onlyReaders,
    }).secretArn;
  }

  protected tokenRefreshArn(): string {
    return publishedBy(this, this.prefix, this.key, 'token-refresh-arn');
  }
}

class ForeignTokenSecret extends TokenSecretBase {
  readonly secretArn: string;
  protected readonly encryptionKeyArn: string;
  protected readonly otherKeyArns: readonly string[];
  protected readonly region: string;
  private readonly key: TokenKey;
  private readonly options: ForeignTokenOptions;

  constructor(scope: Construct, id: string, key: TokenKey, options: ForeignTokenOptions) {
    super(scope, id);
    this.key = key;
    this.options = options;
    const { prefix = DEFAULT_PREFIX, owner, otherKeyArns = [] } = options;
    this.otherKeyArns = otherKeyArns;
    this.secretArn = secretArnPattern(this, tokenSecretName(prefix, key), owner);
    this.encryptionKeyArn = owner?.encryptionKeyArn ?? publishedBy(this, prefix, key, 'key-arn');
    this.region = owner?.region ?? Stack.of(this).region;
  }

  protected tokenRefreshArn(): string {
    const { prefix = DEFAULT_PREFIX, owner } = this.options;
    if (owner === undefined) return publishedBy(this, prefix, this.key, 'token-refresh-arn');
    if (owner.tokenRefreshArn !== undefined) return owner.tokenRefreshArn;
    throw new Error(
      'owner.tokenRefreshArn: found nothing; allowed: the ARN of the owner’s token-refresh function',
    );
  }
}

function publishedBy(
  scope: Construct,
  prefix: string,
  key: TokenKey,
  leaf: 'key-arn' | 'token-refresh-arn',
): string {
  return ssm.StringParameter.valueForStringParameter(scope, parameterName(prefix, key, leaf));
}
