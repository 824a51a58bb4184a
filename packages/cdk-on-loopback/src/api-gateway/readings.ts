/** What API Gateway does where AWS's documentation and its recorded behavior differ. Tests run under each reading. */
export interface Readings {
  /**
   * How path parameters reach a function: as the client sent them, which is recorded, or percent-decoded.
   * @see https://github.com/aws/aws-sam-cli/issues/771 and https://github.com/aws/aws-sam-cli/issues/3524
   * @see https://github.com/dherault/serverless-offline/issues/265
   */
  pathParameters: 'as-sent' | 'decoded';
  /**
   * How the names of a few headers, such as `Authorization`, reach a function: with their usual capitals, or as the client
   * spelled them. Recordings of edge-optimized APIs and AWS's sample event of a regional one have the capitals.
   * @see https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html
   */
  headerNames: 'known' | 'as-sent';
  /**
   * What a request with an `Authorization` header to an undefined path or method gets: the same as without the header, or
   * the failure to read it as a signature.
   * @see https://github.com/HumanCellAtlas/data-store/issues/328
   * @see https://github.com/amazon-archives/aws-cognito-angular-quickstart/issues/50
   */
  undefinedRoutes: 'missing-token' | 'signature';
}

export const defaultReadings = (): Readings => ({
  pathParameters: 'as-sent',
  headerNames: 'known',
  undefinedRoutes: 'missing-token',
});
