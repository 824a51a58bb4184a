/** An AWS account id. */
export const ACCOUNT_ID = /^\d{12}$/;

/** What is allowed as one, for a message about something else. */
export const ACCOUNT_RULE = 'an AWS account id of 12 digits';
