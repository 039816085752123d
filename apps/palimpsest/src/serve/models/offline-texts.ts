/** The notice of an answer without a model. */
export const OFFLINE_NOTICE =
  'No model is configured (GEMINI_API_KEY is not set): the answer quotes what the assembled context holds on the question.'

/** The beginnings of answers without a model. */
export const FOUND = 'The context holds on this question:'
export const NOTHING = 'No line of the context shares a word with the question.'
export const RECORD = 'What is on record as decided:'

/** True for an answer that was given without a model: it says nothing that was not said before. */
export function isOfflineAnswer(text: string): boolean {
  return [FOUND, NOTHING, RECORD].some((beginning) => text.startsWith(beginning))
}
