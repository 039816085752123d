export const ANSWER_CHARACTERS = 20_000
/** Characters that an answer aims at: about 4,000 tokens. */
export const USUAL_CHARACTERS = 16_000
