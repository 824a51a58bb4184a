/**
 * Replaces `@aws-sdk/credential-provider-node` in the functions: Lambda has their credentials in the environment, so profiles,
 * single sign-on and metadata services are never asked. They would be half of each bundle.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
