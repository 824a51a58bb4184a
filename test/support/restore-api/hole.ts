import {
  type APIGatewayAuthorizerResult,
  type APIGatewayProxyEvent,
  type APIGatewayProxyResult,
  type APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';

/** Replaces a part of the system, and may call that part. */
type Around<Input, Output> = (input: Input, run: (input: Input) => Promise<Output>) => Promise<Output>;

/**
 * A defense to remove from the running system. It changes a function's input or output, so it does not
 * depend on the product's source.
 */
export interface Hole {
  /** What the system then does wrong. */
  wrong: string;
  authorizer?: Around<APIGatewayRequestAuthorizerEvent, APIGatewayAuthorizerResult>;
  restore?: Around<APIGatewayProxyEvent, APIGatewayProxyResult>;
}
