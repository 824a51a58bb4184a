/** An AWS account id. */
export const ACCOUNT_ID = /^\d{12}$/;

/** The rule of {@link ACCOUNT_ID} in words, for messages. */
export const ACCOUNT_RULE = 'an AWS account id of 12 digits';
