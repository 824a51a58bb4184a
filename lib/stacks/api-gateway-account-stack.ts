import { Stack, type StackProps } from 'aws-cdk-lib';
import { type Construct } from 'constructs';

import { ApiGatewayLogging, type ApiGatewayLoggingProps } from '../constructs/restore/api-gateway-logging';

export interface ApiGatewayAccountStackProps extends StackProps {
  readonly logging: ApiGatewayLoggingProps;
}

/** The stack of API Gateway's logging role, which there is once per account and AWS region. */
export class ApiGatewayAccountStack extends Stack {
  constructor(scope: Construct, id: string, { logging, ...props }: ApiGatewayAccountStackProps) {
    super(scope, id, props);
    // CDK leaves the id `Default` out of logical ids.
    new ApiGatewayLogging(this, 'Default', logging);
  }
}
