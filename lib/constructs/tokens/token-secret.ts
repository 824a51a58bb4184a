import { RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { Construct, type IConstruct } from 'constructs';

import { KIND_TAG } from '../../../core/secrets/credential-labels';
import { parameterName } from '../../../core/deployment/parameter-names';
import { DEFAULT_PREFIX, tokenSecretName } from '../../../core/secrets/secret-names';
import {
  deploymentName,
  deploymentText,
  tokenKeyText,
  tokenKeyOf,
  tokenTypeName,
} from '../../../core/tokens/token-key';
import { type TokenKey } from '../../../core/tokens/published-keys';
import { sha256Hex } from '../../../core/secrets/sha256';
import { type DeploymentSettings } from '../deployment-settings';
import { type Replica } from '../../options/replica-regions-settings';
import { checkNames } from '../internal/check-names';
import { grantInvoke, grantStatement } from '../internal/grant-statement';
import { keyStatement } from '../internal/key-statement';
import { secretArnPattern } from '../internal/secret-arns';
import { type OnlyReaders, SecretShell } from '../internal/secret-shell';

export interface TokenSecretProps {
  /** @default latchkey */
  readonly prefix?: string;
  readonly key: TokenKey;
  /** ARN of the key of the secret. */
  readonly encryptionKeyArn: string;
  /** ARNs of keys that the secret had before, while its key changes. @default none */
  readonly otherKeyArns?: readonly string[];
  /** AWS regions to which the secret is replicated. @default none */
  readonly replicas?: readonly Replica[];
  /** Other accounts that may allow their roles to read the token. @default none */
  readonly readerAccounts?: readonly string[];
  /** Ids of organizations whose other accounts may all do the same. @default none */
  readonly readerOrganizations?: readonly string[];
  /**
   * Who may read the token, besides those accounts. @default IAM policies decide
   * @internal
   */
  readonly onlyReaders?: OnlyReaders;
  /** ARN of the deployment's token-refresh function. @default the one that the deployment's stack published */
  readonly tokenRefreshArn?: string;
}

/** Where to find a token whose secret another stack created. */
export interface ForeignTokenOptions {
  /** @default latchkey */
  readonly prefix?: string;
  /**
   * Further keys that the token may be encrypted with while the deployment's key changes: the former and the next key.
   * @default none
   */
  readonly otherKeyArns?: readonly string[];
  /** Other AWS regions with replicas, and the keys there: as the deployment has them. @default none may be read */
  readonly replicas?: readonly Replica[];
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
export interface ITokenSecret extends IConstruct {
  /** The secret's ARN; if another stack created the secret, a pattern that matches only this secret. */
  readonly secretArn: string;
  /** Grants reading this token and nothing else; also its replicas, if the app knows of them. */
  grantReadToken(grantee: iam.IGrantable): iam.Grant;
  /** Grants requesting a valid token from token-refresh. The response contains no token. */
  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant;
  /**
   * Environment variables for a service that reads this token: LATCHKEY_TOKEN, its key for the client library's `parseTokenKey`;
   * LATCHKEY_TOKEN_SECRET, the name of the secret; and TOKEN_REFRESH_ARN. None is a secret.
   */
  environment(): Record<string, string>;
}

/** What identifies the secret of a token, and what policies need to know of it. */
interface TokenAttributes {
  readonly key: TokenKey;
  readonly prefix: string;
  /** @default the account of the stack */
  readonly account?: string;
  /** @default the AWS region of the stack */
  readonly region?: string;
  readonly encryptionKeyArn: string;
  readonly otherKeyArns?: readonly string[] | undefined;
  readonly replicas?: readonly Replica[] | undefined;
  readonly tokenRefreshArn: () => string;
}

/** Shared by the secret itself and references to it from other stacks. */
export abstract class TokenSecretBase extends Construct implements ITokenSecret {
  abstract readonly secretArn: string;
  private readonly attributes: TokenAttributes;

  /** @internal */
  protected constructor(scope: Construct, id: string, attributes: TokenAttributes) {
    super(scope, id);
    this.attributes = attributes;
  }

  grantReadToken(grantee: iam.IGrantable): iam.Grant {
    const { key, prefix, account, region, encryptionKeyArn, otherKeyArns, replicas = [] } = this.attributes;
    const arnIn = (replicaRegion: string) =>
      secretArnPattern(this, tokenSecretName(prefix, key), { account, region: replicaRegion });
    const decrypt = keyStatement(this, {
      keyArn: encryptionKeyArn,
      otherKeyArns,
      secretArns: [this.secretArn],
      actions: ['kms:Decrypt'],
      region,
    });
    const read = new iam.PolicyStatement({
      actions: ['secretsmanager:GetSecretValue'],
      resources: [this.secretArn, ...replicas.map((replica) => arnIn(replica.region))],
    });
    const decryptReplicas = replicas.flatMap((replica) =>
      replica.kmsKeyArn === undefined
        ? []
        : keyStatement(this, {
            keyArn: replica.kmsKeyArn,
            // AWS does not say whether the context of a replica has its own ARN or that of its primary secret.
            secretArns: [arnIn('*')],
            actions: ['kms:Decrypt'],
            region: replica.region,
          }),
    );
    return [decrypt, read, ...decryptReplicas]
      .map((statement) => grantStatement(grantee, statement))
      .reduce((all, grant) => all.combine(grant));
  }

  grantEnsureFresh(grantee: iam.IGrantable): iam.Grant {
    return grantInvoke(grantee, this.attributes.tokenRefreshArn());
  }

  environment(): Record<string, string> {
    const { key, prefix, tokenRefreshArn } = this.attributes;
    return {
      LATCHKEY_TOKEN: JSON.stringify(tokenKeyOf(key, key)),
      LATCHKEY_TOKEN_SECRET: tokenSecretName(prefix, key),
      TOKEN_REFRESH_ARN: tokenRefreshArn(),
    };
  }
}

/** The secret of one token key. Deleting it is harmless: token-sweep fills a new one. */
export class TokenSecret extends TokenSecretBase {
  /**
   * A reference to a token from another stack, repository or account.
   * In the same account, only the key is needed. From another account, pass `owner`, and list the account in the token's
   * `readerAccounts`, or its organization in `readerOrganizations`.
   */
  static fromKey(scope: Construct, key: TokenKey, options: ForeignTokenOptions = {}): ITokenSecret {
    const { prefix = DEFAULT_PREFIX } = options;
    checkNames(scope.node.path, key, prefix, key);
    const owner = [options.prefix, options.owner?.account, options.owner?.region].filter(
      (part) => part !== undefined,
    );
    const id = idOf(key, ['Token', deploymentName(key), key.tenantId, tokenTypeName(key, '-'), ...owner]);
    return ForeignTokenSecret.of(scope, id, foreignAttributes(scope, key, options));
  }

  readonly secretArn: string;

  constructor(scope: Construct, id: string, props: TokenSecretProps) {
    const { key, prefix = DEFAULT_PREFIX, encryptionKeyArn, otherKeyArns, replicas } = props;
    const tokenRefreshArn = () =>
      props.tokenRefreshArn ?? publishedBy(scope, prefix, key, 'token-refresh-arn');
    super(scope, id, { key, prefix, encryptionKeyArn, otherKeyArns, replicas, tokenRefreshArn });
    this.secretArn = new SecretShell(this, 'Shell', {
      ...props,
      secretName: tokenSecretName(prefix, key),
      description: `${[key.interface, 'token', key.scope].filter(Boolean).join(' ')} of ${key.tenantId} on ${deploymentText(key)}`,
      tags: { [KIND_TAG]: 'token' },
      removalPolicy: RemovalPolicy.DESTROY,
      noRotationReason:
        'Replaced by token-sweep every 40 minutes, more often than Secrets Manager can rotate.',
    }).secretArn;
  }
}

/**
 * A token of this app's deployment whose secret is in another stack.
 * @internal
 */
export function tokenOfOtherStack(
  scope: Construct,
  key: TokenKey,
  { prefix, keys, replicas }: DeploymentSettings,
  tokenRefreshArn: string,
): ITokenSecret {
  const id = idOf(key, ['Token', key.tenantId, tokenTypeName(key, '-')]);
  return ForeignTokenSecret.of(scope, id, {
    key,
    prefix,
    encryptionKeyArn: keys.encryptionKeyArn,
    otherKeyArns: keys.formerKeyArns,
    replicas,
    tokenRefreshArn: () => tokenRefreshArn,
  });
}

class ForeignTokenSecret extends TokenSecretBase {
  /** The one with this id, which the first call creates. */
  static of(scope: Construct, id: string, attributes: TokenAttributes): ITokenSecret {
    const earlier = scope.node.tryFindChild(id) as ForeignTokenSecret | undefined;
    return earlier ?? new ForeignTokenSecret(scope, id, attributes);
  }

  readonly secretArn: string;

  private constructor(scope: Construct, id: string, attributes: TokenAttributes) {
    super(scope, id, attributes);
    this.secretArn = secretArnPattern(this, tokenSecretName(attributes.prefix, attributes.key), attributes);
  }
}

/** The id of a reference. Names of other issuers may have hyphens anywhere, and one token must not stand for another. */
function idOf(key: TokenKey, parts: readonly string[]): string {
  if (key.issuer === undefined) return parts.join('-');
  return `Token-${sha256Hex(JSON.stringify([tokenKeyText(key), ...parts])).slice(0, 16)}`;
}

/** The attributes of a token that another stack, repository or account describes. */
function foreignAttributes(
  scope: Construct,
  key: TokenKey,
  { prefix = DEFAULT_PREFIX, otherKeyArns, replicas, owner }: ForeignTokenOptions,
): TokenAttributes {
  const shared = { key, prefix, otherKeyArns, replicas };
  if (owner === undefined) {
    return {
      ...shared,
      encryptionKeyArn: publishedBy(scope, prefix, key, 'key-arn'),
      tokenRefreshArn: () => publishedBy(scope, prefix, key, 'token-refresh-arn'),
    };
  }
  const tokenRefreshArn = () => {
    if (owner.tokenRefreshArn !== undefined) return owner.tokenRefreshArn;
    throw new Error(
      'owner.tokenRefreshArn: found nothing; allowed: the ARN of the owner’s token-refresh function',
    );
  };
  return { ...owner, ...shared, tokenRefreshArn };
}

function publishedBy(
  scope: Construct,
  prefix: string,
  key: TokenKey,
  leaf: 'key-arn' | 'token-refresh-arn',
): string {
  return ssm.StringParameter.valueForStringParameter(scope, parameterName(prefix, key, leaf));
}
