import { executionPolicies, HANDLER_PERMISSIONS, isUsed } from './execution-policy';
import registry from './handler-permissions.json';

/** `docs/execution-policy.md`: the policies to paste, how to use them, and what each type of resource needs. */
export function executionPolicyPage(): string {
  const policies = executionPolicies();
  const names = policies.map((_, index) => `cdk-deploys-latchkey-${index + 1}`);
  const arns = names.map((name) => `arn:aws:iam::111122223333:policy/${name}`);
  return `# The execution policy

With \`cdk bootstrap\` alone, CloudFormation deploys with \`AdministratorAccess\`. The policies below are the least that Latchkey's
stacks need, for deploying, updating and destroying them with every setting of the configuration.

\`npm run docs\` generates this page; do not edit it.

## Use them

Save each policy as a file and create it once per account. Then bootstrap every AWS region with them; the option replaces
\`AdministratorAccess\`, and with \`--trust\`, CDK requires it:

\`\`\`sh
${names.map((name) => `aws iam create-policy --policy-name ${name} --policy-document file://${name}.json`).join('\n')}
npx cdk bootstrap aws://111122223333/eu-west-1 --cloudformation-execution-policies \\
  ${arns.join(',')}
\`\`\`

- Everything else that is deployed with the same bootstrap stack needs its own permissions too. To keep Latchkey apart, bootstrap with
  \`--qualifier\` and \`--toolkit-stack-name\`, and use [that qualifier](deploy.md#several-accounts-another-qualifier-a-pipeline).
- Do not let the name of a policy begin with \`latchkey-\`: the role could then change its own policy.
- With another \`prefix\` in the configuration, replace \`latchkey\` in the resources.
- The statements \`DnsRecords\`, \`WebAcls\`, \`Networks\` and \`SignedCodeAndLayers\` are only for \`restoreApi.domain.hostedZoneId\`,
  \`restoreApi.webAclArn\`, \`vpc\`, and \`codeSigning\` or \`tracing\` with a layer. Without those settings, leave them out.
- With \`codeSigning\`, add the objects of the bucket with the signed bundles to \`Assets\`.
- With \`logSubscription.roleArn\`, add that role to \`PassRoles\`, and \`logs.amazonaws.com\` to its services. A destination of another
  account must be among the resources of \`LogGroups\`.
- With [\`roles.existing\`](guardrails.md#roles-that-exist), no template has roles or policies: leave out \`Roles\` and \`Policies\`, except
  \`iam:GetRole\` for API Gateway's logging role, and give \`PassRoles\` the ARNs of your roles. With \`roles.path\` and \`roles.namePrefix\`,
  replace the names in the three by the path and the prefix.
- An [adopted secret](deploy.md#adopt-a-secret-that-you-have-already) of another name needs its ARN in the resources of \`Secrets\`.
- In China and AWS GovCloud (US), the ARNs of the policies begin with \`arn:aws-cn:\` and \`arn:aws-us-gov:\`. The policies are the same.

## What they allow beyond Latchkey

- Keys, REST APIs, usage plans and web ACLs have no names in their ARNs, so \`Keys\`, \`Apis\` and \`WebAcls\` include those of others.
- \`Roles\` allows creating roles named \`latchkey-*\` with any permissions. If that is too much, set \`permissionsBoundaryArn\` in the
  configuration, and require the boundary: split \`iam:CreateRole\`, \`iam:PutRolePolicy\`, \`iam:AttachRolePolicy\` and
  \`iam:PutRolePermissionsBoundary\` off into a statement with the condition
  \`"StringEquals": { "iam:PermissionsBoundary": "ARN of the boundary" }\`, and leave out \`iam:DeleteRolePermissionsBoundary\`.
- \`secretsmanager:GetSecretValue\` is what CloudFormation asks for to read a secret. Latchkey's stacks set and read no values.

${policies.map((policy, index) => `## Policy ${index + 1}\n\n\`\`\`json\n${JSON.stringify(policy, null, 2)}\n\`\`\`\n`).join('\n')}
## What each type of resource needs

From ${registry.source}. Read on ${registry.readOn}. Without those for properties that no template sets.

${Object.entries(HANDLER_PERMISSIONS)
  .map(
    ([type, actions]) =>
      `- \`${type}\`: ${actions
        .filter(isUsed)
        .map((action) => `\`${action}\``)
        .join(', ')}`,
  )
  .join('\n')}
`;
}
