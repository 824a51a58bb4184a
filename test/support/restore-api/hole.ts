import {
  type APIGatewayAuthorizerResult,
  type APIGatewayProxyEvent,
  type APIGatewayProxyResult,
  type APIGatewayRequestAuthorizerEvent,
} from 'aws-lambda';

import { type HttpsAnswer } from '../../journeys/support/https-request';

/** Runs instead of a part of the system, and calls that part as it likes. */
type Around<Input, Output> = (input: Input, run: (input: Input) => Promise<Output>) => Promise<Output>;

/**
 * A defense that is missing from the running system. It stands at a seam, so it knows nothing of the product's source:
 * it changes what a function is given, or what becomes of its answer.
 */
export interface Hole {
  /** What the system then does wrong. */
  wrong: string;
  authorizer?: Around<APIGatewayRequestAuthorizerEvent, APIGatewayAuthorizerResult>;
  restore?: Around<APIGatewayProxyEvent, APIGatewayProxyResult>;
  /** Between the restore function and the platform. */
  platform?: Around<Request, Response>;
  /** Between API Gateway and the caller. */
  gateway?: (answer: HttpsAnswer) => HttpsAnswer;
}
