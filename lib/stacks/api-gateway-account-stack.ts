import { Stack, type StackProps } from 'aws-cdk-lib';
import { type Construct } from 'constructs';

import { ApiGatewayLogging } from '../constructs/restore/api-gateway-logging';

/** The stack of API Gateway's logging role, which there is once per account and AWS region. */
export class ApiGatewayAccountStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    // The id `Default` keeps the logical ids that the role had as a child of the stack.
    new ApiGatewayLogging(this, 'Default');
  }
}
