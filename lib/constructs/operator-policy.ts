import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../contract/deployment-file';
import { cellPath, CREDENTIAL_KINDS } from '../../contract/secret-names';
import { acknowledgeWildcards } from './acknowledge-wildcards';
import { keyStatement } from './key-access';
import { secretArnPattern } from './secret-arns';

export interface OperatorPolicyProps {
  readonly deployment: DeploymentFile;
  readonly encryptionKeyArn: string;
  /** The functions that operators may start. */
  readonly functionArns: string[];
}

/** Exactly the rights that operating one deployment takes. Attach it to the roles of your operators. */
export class OperatorPolicy extends Construct {
  readonly managedPolicyArn: string;
  private readonly props: OperatorPolicyProps;

  constructor(scope: Construct, id: string, props: OperatorPolicyProps) {
    super(scope, id);
    this.props = props;
    const { environment, platformRegion } = props.deployment;
    const policy = new iam.ManagedPolicy(this, 'Policy', {
      description: `Operating Latchkey on ${environment} ${platformRegion}`,
      statements: this.statements(),
    });
    this.managedPolicyArn = policy.managedPolicyArn;
    acknowledgeWildcards(
      policy,
      this.credentialPatterns(),
      'The path is that of this deployment; full ARNs would overflow the policy at about 60 tenants.',
    );
  }

  /** Gives a principal of this app the same rights. */
  grantOperate(grantee: iam.IGrantable): void {
    for (const statement of this.statements()) grantee.grantPrincipal.addToPrincipalPolicy(statement);
  }

  private statements(): iam.PolicyStatement[] {
    const { encryptionKeyArn, functionArns } = this.props;
    const credentials = this.credentialPatterns();
    return [
      // Writing, not reading: an operator loads what support sent, and cannot take out what others loaded.
      new iam.PolicyStatement({ actions: ['secretsmanager:PutSecretValue'], resources: credentials }),
      keyStatement(this, {
        keyArn: encryptionKeyArn,
        secretArns: credentials,
        actions: ['kms:GenerateDataKey', 'kms:Decrypt'],
      }),
      new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: functionArns }),
    ];
  }

  private credentialPatterns(): string[] {
    const { deployment } = this.props;
    const root = cellPath(deployment.prefix, deployment);
    return CREDENTIAL_KINDS.map((kind) => secretArnPattern(this, `${root}/*/${kind}`));
  }
}
