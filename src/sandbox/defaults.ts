/** Defaults of the sandbox, in a file of their own so that help need not load the server. */

/** Tokens per second of a streamed answer. */
export const defaultRate = 60

/** Requests to text models until the quota is used up. */
export const defaultLimit = 500

/** Hours until the quota renews (section 2.5). */
export const defaultRenewalHours = 5
