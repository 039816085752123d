/**
 * Names of states that hold the last prompt, with its summaries. A store's `forget` deletes them: the next process then
 * starts from the log.
 */
export const PROMPT_STATES = { session: 'projection', engine: 'given' } as const
