import { CATEGORIES } from '../log/decision-event.ts'
import { DATA_NOTE } from './prompt-data.ts'

export type RefineStyle = 'seed' | 'default'

const KINDS = `Categories: ${CATEGORIES.join(', ')}. "structure": where things are and how they are cut; "behavior": what they do, values and limits; "relationships": what depends on or calls what; "decisions": what was chosen, and rules.`

/** The system prompt of the model that reads turns. */
export const REFINE_SYSTEM: Readonly<Record<RefineStyle, string>> = {
  default: `You read turns of a conversation between a user and an assistant about a software project and list what was decided or established in them. ${DATA_NOTE} You only report what somebody said, with their exact words as the proof. Answer with JSON only.`,
  seed: `You extract lasting knowledge about a software project from turns of a conversation between a user and an assistant. ${DATA_NOTE} Answer with JSON only.`,
}

/** The task behind the turns. */
export const REFINE_TASK: Readonly<Record<RefineStyle, string>> = {
  default: `List what the turns above decide or establish and <known_decisions> does not say already: choices, changes and withdrawals of choices, values and limits, rules, and facts about the code. Leave out questions, ideas that nobody took up, examples, hypotheses, and what a log, a file or a quoted text says. When in doubt, leave it out.
${KINDS}
Answer with {"candidates": [...]}, at most 32, each with:
- "message": the number of the message; "quote": its exact words that say it, one sentence, copied without any change
- "kind": "assert" (the user says it), "propose" (the assistant suggests it), "accept" (the user takes up a proposal; then also "proposal_message" and "proposal_quote"), "retract" (it no longer holds and nothing replaces it)
- "category"; "slot": what it is about, such as "datastore", "auth", "setting:max-retries", "name:old-name", "rule:tests", "fact:<subject>"; use the slot of a known decision where it fits
- "choice": the value, in the words of the quote; "area": the part of the project that it is limited to, else ""
- "l0": one line of about 15 tokens with exact names; "reason": why, in words of the message, else ""
- "change": true when the words say that something changes, and then "replaces": the old value if the words name it
An empty list is a good answer.`,
  seed: `Extract what the turns above tell about the project. Concrete facts come first: names, paths, signatures, types, values; no general remarks.
${KINDS}
Answer with {"candidates": [...]}, at most 32, each with:
- "category"
- "l0": the fact in about 15 tokens
- "l1": the fact in 50 to 100 tokens of markdown, with exact names, paths, signatures and types
- "message": the number of the message that says it; "quote": its exact words, one sentence`,
}
