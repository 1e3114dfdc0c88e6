/** Defaults of the sandbox, in a file of their own so that help need not load the server. */

/** Tokens per second of a streamed answer. */
export const defaultRate = 60

/** The rolling limit, in requests to the dearest model. */
export const defaultLimit = 500

/** Hours until a used-up rolling limit is full again. */
export const defaultRenewalHours = 5

/** Requests to each text model at a time, from any program: as for a person with one subscription. */
export const defaultConcurrent = 1
