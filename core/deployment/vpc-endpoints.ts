/**
 * Service name of the interface endpoint by which functions in a VPC reach an AWS service.
 * @param service as in the names of its IAM actions, such as `secretsmanager`
 * @see https://docs.aws.amazon.com/vpc/latest/privatelink/aws-services-privatelink-support.html
 */
export function vpcEndpointName(region: string, service: string): string {
  return `${region.startsWith('cn-') ? 'cn.' : ''}com.amazonaws.${region}.${service}`;
}
