import { failure, type ResourceContext } from '../template/resource-type';
import { type RestApi, type RestApis } from './rest-api';

/** An id as API Gateway makes it: lower-case letters and digits. */
export function createdId({ random }: ResourceContext, length: number): string {
  return random(length).toLowerCase();
}

/** @throws {TemplateError} */
export function requireApi(apis: RestApis, id: string, context: ResourceContext): RestApi {
  const api = apis.apis.get(id);
  if (!api) throw failure('not_found', context, `the account has no REST API ${id}`);
  return api;
}
