/** What holds for a sandbox of which nothing else is asked; help states it without loading the server. */

/** Tokens a second of a paced answer. */
export const defaultRate = 60

/** Requests to text models until the quota is spent. */
export const defaultLimit = 500
