/** What was wrong: with the files, with the template itself, or with the account it meets. */
export type TemplateErrorCode =
  'assembly_unreadable' | 'not_supported' | 'invalid_template' | 'already_exists' | 'not_found';

/** A stack that cannot run here. The message names the stack, and where it can the resource and the path within it. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly code: TemplateErrorCode;

  constructor(code: TemplateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
