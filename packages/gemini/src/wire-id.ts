import type { CallFacts } from './read-call.ts'

/** The prefix of ids that this package makes for calls to which Gemini gave none. */
export const callIdPrefix = 'gemini-call-'

/** The field `id` of a call on the wire: what Gemini gave or another provider did, nothing for an id of our own. */
export function wireId({ id, data }: CallFacts): { readonly id?: string } {
  const given = data.id ?? id
  return typeof given === 'string' && given !== '' && !given.startsWith(callIdPrefix) ? { id: given } : {}
}
