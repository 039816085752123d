import { countMessages, type Message, roughTokenCounter } from '@palimpsest/core'
import { generateDialogue } from '../dialogues/generate-dialogue.ts'
import { LEAST_TURNS } from '../dialogues/run-dialogues.ts'

/** A generated dialogue's turns have at least so many tokens. */
const LEAST_TOKENS_OF_TURN = 1000

/** A dialogue of a user and a coding agent with decisions in it, cut off where it has so many tokens. */
export function longDialogue(seed: number, tokens: number): readonly Message[] {
  const turns = Math.max(LEAST_TURNS, Math.ceil(tokens / LEAST_TOKENS_OF_TURN))
  const { messages } = generateDialogue({ seed, turns })
  if (countMessages(roughTokenCounter, messages) < tokens) return messages
  let size = 0
  const end = messages.findIndex((message) => {
    size += roughTokenCounter.countMessage(message)
    return size > tokens
  })
  return messages.slice(0, end)
}
